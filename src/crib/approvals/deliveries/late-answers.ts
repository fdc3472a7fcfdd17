import { isoTime } from '../../../contract/iso-time.js'
import type { EventClass } from '../../../contract/unions.js'
import { snapshotJson } from '../../../platform/json/snapshot-json.js'
import { collectSecrets, compileMask } from '../../../redaction/mask-fields.js'
import type { AnswerOptions } from '../answer-approval.js'
import { readApproval } from '../approval-documents.js'
import type { ApprovalsParts } from '../approvals-parts.js'
import { changeDelivery, type DeliveryKey } from './delivery-documents.js'

const MAX_LATE = 20
const MAX_CONTENT_CHARS = 10_000

/** Records an answer to a question with a form that came after its time limit. Returns whether it did. */
export async function recordLateAnswer(
  parts: ApprovalsParts & { record(type: EventClass, tenant: string, data: object): void },
  key: DeliveryKey,
  given: AnswerOptions,
): Promise<boolean> {
  const { store, now, redactor } = parts
  const approval = (await readApproval(store, key.tenant, key.id))?.kept.approval
  if (approval?.form === undefined) return false
  const { approved } = given
  const at = isoTime(now())
  const by = redactor.text(given.by)
  const changed = await changeDelivery(store, key, {
    now,
    change({ record, ...rest }) {
      const late = record.late_answers ?? []
      if (late.length >= MAX_LATE) return undefined
      return { ...rest, record: { ...record, late_answers: [...late, { by, at, approved }] } }
    },
  })
  if (!changed) return false
  parts.record('toolcrib.approval.answered_late', key.tenant, {
    approval_id: key.id,
    invocation_id: approval.invocation_id,
    tool_id: approval.tool_id,
    by,
    approved,
    expired_at: approval.expires_at,
    ...shownAnswer(parts, approval.tool_id, given),
  })
  return true
}

/** The content is shown only where this process knows which of its fields are secret. */
function shownAnswer(
  { catalog, redactor }: ApprovalsParts,
  toolId: string,
  { feedback, content }: AnswerOptions,
): object {
  const tool = catalog.get(toolId)
  const snapshot = snapshotJson(content)
  const fields = tool?.draft.output.sensitiveFields ?? []
  const isShown =
    tool !== undefined &&
    content !== undefined &&
    !('notJson' in snapshot) &&
    JSON.stringify(snapshot.value).length <= MAX_CONTENT_CHARS
  if (!isShown) return feedback === undefined ? {} : { feedback: redactor.text(feedback) }
  const secrets = collectSecrets(snapshot.value, fields)
  const masked = (compileMask(fields) ?? ((same: unknown) => same))(snapshot.value)
  return {
    content: redactor.value(masked, secrets),
    ...(feedback !== undefined && { feedback: redactor.text(feedback, secrets) }),
  }
}
