import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import type { ApprovalStatus } from '../../contract/unions.js'
import type { WaitingCall } from '../../approvals/kept-approval.js'
import type { Refusal } from '../../approvals/refusal.js'
import type { GivenAnswer } from '../../approvals/sign-approval.js'
import type { whatChanged } from '../../approvals/what-changed.js'
import type { ApprovalAnswer } from '../../policy/decision.js'
import type { CallRun } from '../call-run.js'

/** How the waiting for an answer ended. */
export type ApprovalOutcome =
  | { kind: 'answered'; answer: GivenAnswer; edited: { input: unknown } | undefined }
  | { kind: 'expired' }
  /** What came is no answer: somebody wrote it who may not. */
  | { kind: 'refused'; refusal: Refusal }
  /** The answer could not be written down. */
  | { kind: 'unrecordable'; error: unknown }
  /** The crib closes; another process goes on with the call. */
  | { kind: 'put_down' }

/** One question about a call, from the side of the call that waits. */
export interface OpenApproval {
  readonly approval: ToolcribApproval
  readonly outcome: Promise<ApprovalOutcome>
  /** Resolves when the question is on disk. */
  readonly isKept: Promise<void>
  /** Makes the question visible to those who may answer. */
  keep(): Promise<void>
  /** What the one who is asked in this process said; nothing when they did not answer. */
  answerHere(answer: ApprovalAnswer | undefined): Promise<void>
  /** What is no longer as it was when the question was asked. */
  changedSince(now: { fingerprint: string; input: unknown }): ReturnType<typeof whatChanged>
  /** Ends the question together with the fact that is recorded next. Without a status it is left as it is. */
  settle(status: ApprovalStatus | undefined): void
  putDown(): void
}

/** What a question says before it is signed. */
export type ApprovalDraft = Omit<
  ToolcribApproval,
  'schema_version' | 'input_digest' | 'policy_revision' | 'status' | 'answer'
>

/** Where questions are kept until somebody answers. */
export interface Approvals {
  /** People can answer from other processes, so a question may outlive this one. */
  readonly hasReviewers: boolean
  /** When a question that is asked now runs out; a judge may have named an earlier time. */
  expiryOf(at: number, named?: string): string
  /** Throws when the call cannot be sealed. */
  ask(draft: ApprovalDraft, waiting: WaitingCall): OpenApproval
}

/** Nothing waits any more: the question gets its end with the next fact of the call. */
export function settleApproval(run: CallRun, status: ApprovalStatus): void {
  const { approval } = run
  if (!approval) return
  run.approval = undefined
  approval.settle(run.isLost ? undefined : status)
}
