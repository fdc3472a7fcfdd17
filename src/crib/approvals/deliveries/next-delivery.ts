import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { AnsweredByPerson } from '../../../catalog/answered-by.js'
import type { Delivery } from './delivery-documents.js'

/** A question that cannot be sent out after so many attempts is only in the record. */
export const MAX_ATTEMPTS = 5
const FIRST_WAIT_MS = 1_000
const WAIT_FACTOR = 4

export type NextDelivery =
  | { readonly kind: 'announce'; readonly at: number; readonly attempt: number }
  | { readonly kind: 'remind'; readonly at: number; readonly reminder: number }

/** What is due next for an open question, in milliseconds; undefined if nothing more is. */
export function nextDelivery(
  { created_at: createdAt }: Pick<ToolcribApproval, 'created_at'>,
  { record, triedAt = 0 }: Delivery,
  { announce, remindMs }: Pick<AnsweredByPerson, 'announce' | 'remindMs'>,
): NextDelivery | undefined {
  const { attempts = 0, reminders = 0 } = record
  const reminder: NextDelivery | undefined =
    remindMs === undefined
      ? undefined
      : {
          kind: 'remind',
          at: Date.parse(record.reminded_at ?? createdAt) + remindMs,
          reminder: reminders + 1,
        }
  if (!announce || record.announced_at !== undefined || attempts >= MAX_ATTEMPTS) return reminder
  const at = attempts === 0 ? 0 : triedAt + FIRST_WAIT_MS * WAIT_FACTOR ** (attempts - 1)
  return reminder && reminder.at < at ? reminder : { kind: 'announce', at, attempt: attempts + 1 }
}
