import type { ToolcribApproval } from '../contract/objects/toolcrib-approval.js'
import { inputChanged } from './kept-approval.js'
import type { Refusal } from './refusal.js'

/** What the answer says that it is about. */
export interface AnswerClaims {
  invocationId?: string | undefined
  inputDigest?: string | undefined
}

/** Whether an approval is still open and is the one that the answer is about. Undefined if so. */
export function mayBeAnswered(
  approval: ToolcribApproval,
  { invocationId, inputDigest }: AnswerClaims,
  now: number,
): Refusal | undefined {
  const { approval_id: id, invocation_id: waiting } = approval
  if (invocationId !== undefined && invocationId !== waiting) {
    return {
      code: 'toolcrib.approval_other_invocation',
      message: `The approval ${id} belongs to the call ${waiting}, not to ${invocationId}.`,
    }
  }
  if (inputDigest !== undefined && inputDigest !== approval.input_digest) return inputChanged(approval)
  const closed = closedBecause(approval)
  if (closed) return closed
  if (!isDue(approval, now)) return undefined
  return { code: 'toolcrib.approval_expired', message: expiredSentence(approval) }
}

export function isDue({ expires_at: expiresAt }: ToolcribApproval, now: number): boolean {
  return !(Date.parse(expiresAt) > now)
}

export function expiredSentence({ approval_id: id, expires_at: at }: ToolcribApproval): string {
  return `The approval ${id} expired at ${at} without an answer; make the call again.`
}

function closedBecause({ approval_id: id, status, answer }: ToolcribApproval): Refusal | undefined {
  switch (status) {
    case 'pending':
      return undefined
    case 'approved':
    case 'rejected':
    case 'used':
      return {
        code: 'toolcrib.approval_already_answered',
        message: `The approval ${id} was ${status === 'rejected' ? 'denied' : 'approved'} by ${answer?.by} at ${answer?.at} already.`,
      }
    case 'expired':
      return {
        code: 'toolcrib.approval_expired',
        message: `The approval ${id} has expired; make the call again.`,
      }
    case 'withdrawn':
      return {
        code: 'toolcrib.approval_withdrawn',
        message: `The call behind the approval ${id} has ended; there is nothing left to approve.`,
      }
    case 'superseded':
      return {
        code: 'toolcrib.approval_withdrawn',
        message: `What the approval ${id} was about has changed meanwhile; if it still needs approval, a new question waits.`,
      }
  }
}
