import type { ToolResult } from '../contract/objects/tool-result.js'
import { collectSecrets, compileMask, MASK } from '../redaction/mask-fields.js'
import type { Redactor } from '../redaction/redactor.js'
import { tellError } from '../contract/tell-error.js'
import { sameJson } from '../platform/json/same-json.js'

/** The result without what stands in these fields of its structured content; without all of it where none is named. */
export function redactResult(
  result: ToolResult,
  { fields, reason, redactor }: { fields: readonly string[] | undefined; reason: string; redactor: Redactor },
): ToolResult {
  const { structured_content: structured } = result
  const mask = fields && compileMask(fields)
  // A text has no fields: what was to be taken out may stand anywhere in it.
  if (!mask || structured === undefined) return emptied(result, MASK, `The result was redacted: ${reason}`)
  const masked = mask(structured)
  if (sameJson(masked, structured)) return result
  // Written anew: every other form of the output was made from what is now masked.
  const content = [{ type: 'text' as const, text: JSON.stringify(masked) }]
  const secrets = collectSecrets(structured, fields)
  const clean = <Value>(value: Value): Value => redactor.value(value, secrets)
  const { summary: _, ui_facing_summary: __, transcript_search_text: ___, ...rest } = result
  const redacted: ToolResult = {
    ...rest,
    content,
    structured_content: masked,
    model_facing_content: content,
    redaction_state: 'partially_redacted',
  }
  if (rest.resource_refs) redacted.resource_refs = clean(rest.resource_refs)
  if (rest.artifact_refs) redacted.artifact_refs = clean(rest.artifact_refs)
  if (rest.error) redacted.error = clean(rest.error)
  if (redacted.error && rest.is_error)
    redacted.model_facing_content = [{ type: 'text', text: redacted.error.message }, ...content]
  const told = personWords(redacted)
  if (told !== undefined) redacted.ui_facing_summary = told
  const context = rest.toolcrib?.['additional_context']
  if (context) redacted.toolcrib = { ...rest.toolcrib, additional_context: clean(context) }
  return redacted
}

/** Nobody gets the result; that there was one, and why it is gone, stays. */
export function dropResult(result: ToolResult, reason: string): ToolResult {
  return emptied(result, undefined, `The result was dropped: ${reason}`)
}

/** What the log holds of a result that only its caller may have. */
export function keepEnvelope(result: ToolResult, reason: string): ToolResult {
  const kept = emptied(result, undefined, `The result was given to its caller and not kept: ${reason}`)
  return { ...kept, status: result.status }
}

/** What a person is told of an error is of its class and holds nothing of the output. */
function personWords({ error, toolcrib }: ToolResult): string | undefined {
  return error && tellError(error, String(toolcrib?.['tool_id'] ?? 'The tool')).forPerson
}

const PARTLY = 'A part of the work failed; what the tool said about it was taken out.'
const FAILED = 'The command failed; what it said about that was taken out.'

/** All that was made from the output goes: its forms, its references, its own account of a failure. */
function emptied(result: ToolResult, content: string | undefined, told: string): ToolResult {
  const { schema_version, result_id, invocation_id, is_error, created_at, error, toolcrib = {} } = result
  const { context_modifier: _, ...own } = toolcrib
  const person = personWords(result)
  return {
    schema_version,
    result_id,
    invocation_id,
    status: 'redacted',
    is_error,
    content: content === undefined ? [] : [{ type: 'text', text: content }],
    model_facing_content: [{ type: 'text', text: told }],
    ...(person !== undefined && { ui_facing_summary: person }),
    redaction_state: 'redacted',
    created_at,
    ...(error && { error: { ...error, message: is_error ? FAILED : PARTLY } }),
    toolcrib: own,
  }
}
