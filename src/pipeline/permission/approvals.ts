import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import type { ApprovalStatus } from '../../contract/unions.js'
import type { WaitingCall } from '../../approvals/kept-approval.js'
import type { Refusal } from '../../approvals/refusal.js'
import type { GivenAnswer } from '../../approvals/sign-approval.js'
import type { whatChanged } from '../../approvals/what-changed.js'
import type { ApprovalAnswer } from '../../policy/decision.js'

/** How the wait for an answer ended. */
export type ApprovalOutcome =
  | {
      kind: 'answered'
      answer: GivenAnswer
      edited: { input: unknown } | undefined
      /** What was filled into the form, if the request has one. */
      content: { value: unknown } | undefined
    }
  | { kind: 'expired' }
  /** The answer's author may not give one. */
  | { kind: 'refused'; refusal: Refusal }
  /** The answer could not be recorded. */
  | { kind: 'unrecordable'; error: unknown }
  /** The crib closes; another process resumes the call. */
  | { kind: 'suspended' }

/** One approval request, from the side of the call that waits for it. */
export interface OpenApproval {
  readonly approval: ToolcribApproval
  readonly outcome: Promise<ApprovalOutcome>
  /** Resolves when the request is on disk. */
  readonly isStored: Promise<void>
  /** Makes the request visible to those who may answer. */
  keep(): Promise<void>
  /**
   * Takes the answer of this process's approver; undefined if it did not answer. Returns why it does not count, if it may
   * answer again.
   */
  answerHere(answer: ApprovalAnswer | undefined, options: { isLast: boolean }): Promise<Refusal | undefined>
  /** What has changed since the request was made. */
  changedSince(now: { fingerprint: string; input: unknown }): ReturnType<typeof whatChanged>
  /** Ends the request together with the next recorded fact. Without a status the request stays as it is. */
  settle(status: ApprovalStatus | undefined): void
  suspend(): void
}

/** An approval request before it is signed. */
export type ApprovalDraft = Omit<
  ToolcribApproval,
  'schema_version' | 'input_digest' | 'policy_revision' | 'status' | 'answer'
>

/** Where approval requests are stored until they are answered. */
export interface Approvals {
  /** People can answer from other processes, so a request may outlive this one. */
  readonly hasReviewers: boolean
  /** When a request that is made now expires; a judge may have set an earlier time, and a tool another duration. */
  expiryOf(at: number, options: { named?: string | undefined; expiresMs?: number | undefined }): string
  /** Throws if the call cannot be sealed. */
  ask(draft: ApprovalDraft, waiting: WaitingCall): OpenApproval
}

/** Closes the call's open request, with the next fact of the call. */
export function settleApproval(
  run: { approval?: OpenApproval | undefined; readonly isLost: boolean },
  status: ApprovalStatus,
): void {
  const { approval } = run
  if (!approval) return
  run.approval = undefined
  approval.settle(run.isLost ? undefined : status)
}
