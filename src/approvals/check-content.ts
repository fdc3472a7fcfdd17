import type { JsonSchema } from '../contract/json-schema.js'
import type { ToolcribApproval } from '../contract/objects/toolcrib-approval.js'
import { snapshotJson } from '../platform/json/snapshot-json.js'
import { ownCommand } from '../platform/text/own-command.js'
import { checkForeign } from '../platform/validation/check-foreign.js'
import { misspelledNames } from '../platform/validation/misspelled-names.js'
import type { Issue, Validate, Validated } from '../platform/validation/validated.js'
import type { Refusal } from './refusal.js'

/** A person fills in a form: more than this is a file, and belongs elsewhere. */
const MAX_CONTENT_CHARS = 1_000_000

const NAMED_ISSUES = 5

/** Checks by a form in bounded time. By a form that cannot be used nothing passes. */
export function checkForm(form: JsonSchema): Validate {
  return checkForeign(form, { fallback: () => REFUSED })
}

const REFUSED: Validated = { ok: false, issues: [{ path: '', message: 'cannot be checked by this form' }] }

/**
 * The content of an answer, if it fits the form of the question. The form was written by the author of the tool: checking
 * by it takes bounded time. `check` is the check of the tool itself, where this process has the tool.
 */
export async function checkContent(
  { form, approval_id: id }: ToolcribApproval,
  content: unknown,
  check?: Validate,
): Promise<{ value: unknown } | undefined | Refusal> {
  if (form === undefined)
    return content === undefined
      ? undefined
      : refusal(`The question ${id} has no form; answer it without content.`)
  if (content === undefined)
    return refusal(
      `The question ${id} has a form; answer it with content, such as: ${ownCommand(`approvals answer ${id} field=value`)}`,
    )
  const snapshot = snapshotJson(content)
  if ('notJson' in snapshot) return refusal(`The content ${snapshot.notJson}.`)
  if (JSON.stringify(snapshot.value).length > MAX_CONTENT_CHARS)
    return refusal(`The content has more than ${MAX_CONTENT_CHARS} characters; give a reference instead.`)
  const schema = form as JsonSchema
  for (const validate of [checkForm(schema), check]) {
    const checked = await validate?.(snapshot.value)
    if (!checked || checked.ok) continue
    const issues = [...misspelledNames(schema, snapshot.value), ...checked.issues]
    return refusal(`The content does not fit the form: ${sentenceOf(issues)}`)
  }
  return snapshot
}

function refusal(message: string): Refusal {
  return { code: 'toolcrib.answer_invalid', message }
}

/** Fields by their names, as a person knows them: `address.city must be a string`. */
function sentenceOf(issues: readonly Issue[]): string {
  const parts = issues.slice(0, NAMED_ISSUES).map(({ path, message }) => {
    const field = path.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
    return field === '' ? message : `"${field}" ${message}`
  })
  const rest = issues.length - parts.length
  return `${parts.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`
}
