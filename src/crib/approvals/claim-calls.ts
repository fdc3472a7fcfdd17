import type { CallRun } from '../../pipeline/call-run.js'
import { pendingProviderOf } from '../../surfaces/filters.js'
import type { ApprovalsParts } from './approvals-parts.js'
import { OpenQuestion } from './open-question.js'
import { resumeCall } from './resume-call.js'
import { finishCall } from '../calls/start-call.js'
import { sweepApprovals, type Sweep } from './sweep-approvals.js'

export interface CallClaims {
  readonly sweep: Sweep
  /** Whether a call was left by a dead process and goes on here. */
  isClaimed(run: CallRun): boolean
  /** Looks through what dead processes left, soon and one round at a time. */
  sweepSoon(): void
  stop(): Promise<void>
}

/** Goes on with approved calls whose processes are gone. */
export function claimCalls(approvals: ApprovalsParts): CallClaims {
  const claimed = new WeakSet<CallRun>()
  let sweeping: Promise<void> | undefined
  let isDue = false
  let isStopped = false

  const sweep: Sweep = {
    left: new Map(),
    answering: new Set(),
    isAwaited(toolId) {
      const tool = approvals.ports().catalog.get(toolId)
      return tool !== undefined && pendingProviderOf(tool.draft) !== undefined
    },
    async claim({ row, chunks, found, waiting }) {
      const ports = approvals.ports()
      const { approval } = found.kept
      const tool = ports.catalog.get(approval.tool_id)
      if (!tool || isStopped || ports.isClosing()) return false
      // Taken now, it would only fail; its approval holds until the provider is there, or runs out.
      if (sweep.isAwaited(tool.toolId)) return false
      const isAsApproved =
        tool.fingerprint === approval.tool_fingerprint &&
        [approval.policy_revision, approval.answer?.policy_revision].includes(ports.policyRevision())
      // It would have to be asked about anew, and there is nobody to ask here.
      if (!isAsApproved && approvals.reviewers.length === 0) return false
      const keys = approvals.keys()
      const question = new OpenQuestion({ parts: approvals, keys, kept: found.kept, waiting, onEnd() {} })
      question.take(found)
      const parts = { ports, store: approvals.store, ownerId: approvals.ownerId }
      const resumed = await resumeCall(parts, { row, chunks, waiting, question, tool })
      if (!resumed) return false
      claimed.add(resumed.run)
      // Its result is on record; here nobody waits for it.
      finishCall(resumed, approvals.live).catch(() => {})
      return true
    },
  }

  async function sweepWhileDue(): Promise<void> {
    while (isDue && !isStopped) {
      isDue = false
      // A store that fails now is asked again at the next round; nothing was promised to anybody.
      await sweepApprovals(approvals, sweep).catch(() => {})
    }
  }

  return {
    sweep,
    isClaimed: (run) => claimed.has(run),
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
