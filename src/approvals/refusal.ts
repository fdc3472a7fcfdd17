import type { ApprovalCode } from '../contract/approval-codes.js'

/** Why an approval or an answer does not count. The code is its identity; the message says what to do. */
export interface Refusal {
  code: ApprovalCode
  message: string
}
