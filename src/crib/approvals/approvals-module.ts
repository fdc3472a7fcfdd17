import { isoTime } from '../../contract/iso-time.js'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import { SCHEMA_VERSION } from '../../contract/unions.js'
import type { ApprovalDraft, Approvals } from '../../pipeline/permission/approvals.js'
import type { CallRun } from '../../pipeline/call-run.js'
import type { ApprovalKeys } from '../../approvals/derive-keys.js'
import { signed, type WaitingCall } from '../../approvals/kept-approval.js'
import { digestInput } from '../../approvals/sign-approval.js'
import { createApprovalsApi } from './approvals-api.js'
import { claimCalls } from './claim-calls.js'
import type { CribApprovals } from './crib-approvals.js'
import { OpenQuestion } from './open-question.js'
import { watchChanges } from './watch-changes.js'
import type { ApprovalsParts } from './approvals-parts.js'

/** Where calls wait for answers: keeps the questions, hears the answers, and takes over what dead processes left. */
export interface ApprovalsModule {
  /** For the pipeline. */
  readonly port: Approvals
  /** For whoever holds the crib. */
  readonly api: CribApprovals
  isClaimed(run: CallRun): boolean
  /** What was approved may have waited for just the tools that are there now. */
  lookAgain(): void
  start(): void
  stop(): Promise<void>
}

/** An owner dies, or a question runs out, without anybody writing. */
const POLL_MS = 5_000

export function createApprovals(parts: ApprovalsParts): ApprovalsModule {
  const { store } = parts
  const hasReviewers = parts.reviewers.length > 0
  const open = new Map<string, OpenQuestion>()
  const claims = claimCalls(parts)
  const news = watchChanges(store, {
    async onAnswered() {
      for (const question of open.values()) await question.look()
      // Only now: what was approved under the old rules must not be asked about anew because of its own answer.
      await parts.onAnswered()
      if (!store.isEphemeral) claims.sweepSoon()
    },
    onChange: () => api.tell(),
  })
  const api = createApprovalsApi(parts, { open, claims, news })
  let endHold: (() => void) | undefined
  let poll: NodeJS.Timeout | undefined
  let stopHearing: (() => void) | undefined

  function ask(draft: ApprovalDraft, waiting: WaitingCall): OpenQuestion {
    const keys = parts.keys()
    const { approval_id: id } = draft
    const kept = signed(keys, toApproval(parts, keys, { draft, waiting }))
    const question = new OpenQuestion({ parts, keys, kept, waiting, onEnd: () => forget(id) })
    if (!parts.ports().approver) void question.publish()
    open.set(id, question)
    // Whoever is asked in this process often answers before the event loop has turned.
    setImmediate(hold)
    return question
  }

  /** Somebody waits here for an answer from elsewhere: where one can come, that keeps the process alive. */
  function hold(): void {
    if (open.size === 0 || endHold) return
    endHold = news.listen({ unref: !hasReviewers })
    news.lookSoon()
  }

  function forget(id: string): void {
    open.delete(id)
    if (open.size > 0) return
    endHold?.()
    endHold = undefined
  }

  function lookAgain(): void {
    if (parts.claims && !store.isEphemeral) claims.sweepSoon()
  }

  return {
    port: { hasReviewers, ask, expiryOf: (at, named) => expiryOf(at + parts.expiresMs, named) },
    api,
    isClaimed: claims.isClaimed,
    lookAgain,
    start() {
      claims.sweepSoon()
      // What ends with this process has no other that could write to it.
      if (store.isEphemeral) return
      poll = setInterval(() => {
        news.lookSoon()
        claims.sweepSoon()
      }, POLL_MS)
      poll.unref()
      stopHearing = parts.ports().catalog.onChange(lookAgain)
      if (hasReviewers || parts.ports().approver) news.listen({ unref: true })
    },
    async stop() {
      clearInterval(poll)
      stopHearing?.()
      await news.stop()
      await claims.stop()
    },
  }
}

function toApproval(
  parts: ApprovalsParts,
  keys: ApprovalKeys,
  { draft, waiting }: { draft: ApprovalDraft; waiting: WaitingCall },
): ToolcribApproval {
  return {
    schema_version: SCHEMA_VERSION,
    ...draft,
    input_digest: digestInput(keys, waiting.inputs[waiting.judged]),
    policy_revision: parts.ports().policyRevision(),
    ...(parts.reviewers.length > 0 && { reviewers: [...parts.reviewers] }),
    status: 'pending',
  }
}

/** A judge may have named an earlier end. */
function expiryOf(last: number, named: string | undefined): string {
  const asked = named === undefined ? Number.NaN : Date.parse(named)
  return isoTime(asked < last ? asked : last)
}
