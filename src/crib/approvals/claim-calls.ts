import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import type { PipelinePorts } from '../../pipeline/ports.js'
import { prepareChecks } from '../../pipeline/check-input/prepare-checks.js'
import { pendingProviderOf } from '../../surfaces/filters.js'
import type { Agents } from '../catalog/agents.js'
import { OpenQuestion } from './open-question.js'
import { resumeCall } from './resume-call.js'
import type { LiveCalls } from '../calls/live-calls.js'
import { finishCall } from '../calls/start-call.js'
import { sweepApprovals, type Sweep, type SweepParts } from './sweep-approvals.js'

/** What is needed to resume a call of another process. */
export interface ClaimParts extends SweepParts {
  readonly pipeline: PipelinePorts
  readonly agents: Pick<Agents, 'resolve'>
  readonly live: LiveCalls
  /** Called for each question of a dead process that nobody has answered yet. */
  onPending(approval: ToolcribApproval): void
}

export interface CallClaims {
  readonly parts: ClaimParts
  readonly sweep: Sweep
  /** Checks the waiting calls of dead processes soon, one round at a time. */
  sweepSoon(): void
  stop(): Promise<void>
}

/** Resumes approved calls whose processes are gone. */
export function claimCalls(approvals: ClaimParts): CallClaims {
  const { catalog, pipeline, closing } = approvals
  let sweeping: Promise<void> | undefined
  let isDue = false
  let isStopped = false

  const sweep: Sweep = {
    left: new Map(),
    answering: new Set(),
    onPending: approvals.onPending,
    isAwaited(toolId) {
      const tool = catalog.get(toolId)
      return tool !== undefined && pendingProviderOf(tool.draft) !== undefined
    },
    async claim({ row, chunks, found, waiting }) {
      const { approval } = found.kept
      const tool = catalog.get(approval.tool_id)
      if (!tool || isStopped || closing.aborted) return false
      // It would fail now; its approval stays valid until the provider is connected or the approval expires.
      if (sweep.isAwaited(tool.toolId)) return false
      const isAsApproved =
        tool.fingerprint === approval.tool_fingerprint &&
        [approval.policy_revision, approval.answer?.policy_revision].includes(approvals.policyRevision())
      // It would need a new approval, and this crib has no reviewers.
      if (!isAsApproved && approvals.reviewers.length === 0) return false
      // Before the claim: the call then goes on without a pause in which its answer could be lost with this process.
      if (!tool.prepared.model) await prepareChecks(tool)
      const keys = approvals.keys()
      const question = new OpenQuestion({ parts: approvals, keys, kept: found.kept, waiting, onEnd() {} })
      question.take(found)
      const { agents, store, ownerId } = approvals
      const parts = { ports: pipeline, agents, store, ownerId }
      const resumed = await resumeCall(parts, { row, chunks, waiting, question, tool })
      if (!resumed) return false
      // The result is recorded; no caller waits for it here.
      finishCall(resumed, approvals.live).catch(() => {})
      return true
    },
  }

  async function sweepWhileDue(): Promise<void> {
    while (isDue && !isStopped) {
      isDue = false
      // A failed round is repeated later.
      await sweepApprovals(approvals, sweep).catch(() => {})
    }
  }

  return {
    parts: approvals,
    sweep,
    sweepSoon() {
      isDue = true
      sweeping ??= sweepWhileDue().finally(() => (sweeping = undefined))
    },
    async stop() {
      isStopped = true
      await sweeping
    },
  }
}
