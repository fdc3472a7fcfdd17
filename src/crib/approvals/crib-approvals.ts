import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import type { ApprovalStatus } from '../../contract/unions.js'
import type { AnswerOptions, AnswerOutcome } from './answer-approval.js'
import type { InTenant } from '../queries/in-tenant.js'

export interface ApprovalsQuery {
  status?: ApprovalStatus | readonly ApprovalStatus[]
  session?: string
  /** Only questions of this queue. */
  queue?: string
  tenant?: string
}

/** The approvals of a crib, and the way to answer them from any process that shares the store. */
export interface CribApprovals {
  /** Oldest first. */
  list(query?: ApprovalsQuery): Promise<ToolcribApproval[]>
  get(approvalId: string, options?: InTenant): Promise<ToolcribApproval | undefined>
  /** How many calls wait for a person; no question is read for it. */
  countWaiting(options?: InTenant): Promise<number>
  /** Why this reviewer may not answer, in one sentence; nothing if an answer would count. */
  mayAnswer(
    approval: ToolcribApproval,
    reviewer: Pick<AnswerOptions, 'by' | 'roles' | 'above'>,
  ): string | undefined
  /** Does not throw for an answer that does not count: the outcome says why. */
  answer(approvalId: string, answer: AnswerOptions): Promise<AnswerOutcome>
  /**
   * Calls back for each open approval, and for each that is requested or closed later. Returns a function that stops
   * this.
   */
  watch(listener: (approval: ToolcribApproval) => void): () => void
  /** Calls back when this crib reminds people of a question that is still open. Returns a function that stops this. */
  watchReminders(listener: (approval: ToolcribApproval) => void): () => void
}
