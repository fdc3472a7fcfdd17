import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import type { ApprovalStatus } from '../../contract/unions.js'
import type { AnswerOptions, AnswerOutcome } from './answer-approval.js'
import type { InTenant } from '../queries/in-tenant.js'

export interface ApprovalsQuery {
  status?: ApprovalStatus | readonly ApprovalStatus[]
  session?: string
  tenant?: string
}

/** The questions that wait for a person, and the way to answer them, from any process that shares the store. */
export interface CribApprovals {
  /** Oldest first. */
  list(query?: ApprovalsQuery): Promise<ToolcribApproval[]>
  get(approvalId: string, options?: InTenant): Promise<ToolcribApproval | undefined>
  /** Never throws for an answer that does not count: what it returns says why. */
  answer(approvalId: string, answer: AnswerOptions): Promise<AnswerOutcome>
  /** Tells of each question that is asked or closed from now on, and of those that wait. What it returns ends it. */
  watch(listener: (approval: ToolcribApproval) => void): () => void
}
