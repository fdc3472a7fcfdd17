import type { ToolResult } from '../contract/objects/tool-result.js'
import { collectSecrets, compileMask, MASK } from '../redaction/mask-fields.js'
import type { Redactor } from '../redaction/redactor.js'
import { describeError } from '../contract/describe-error.js'
import { sameJson } from '../platform/json/same-json.js'

/** Masks these fields in the structured content of a result; without fields, everything is masked. */
export function redactResult(
  result: ToolResult,
  { fields, reason, redactor }: { fields: readonly string[] | undefined; reason: string; redactor: Redactor },
): ToolResult {
  const { structured_content: structured } = result
  const mask = fields && compileMask(fields)
  // Text has no fields: the value to mask may be anywhere in it.
  if (!mask || structured === undefined) return emptied(result, MASK, `The result was redacted: ${reason}`)
  const masked = mask(structured)
  if (sameJson(masked, structured)) return result
  // Written again: all other forms of the output were made from the unmasked value.
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
  const shown = personText(redacted)
  if (shown !== undefined) redacted.ui_facing_summary = shown
  const context = rest.toolcrib?.['additional_context']
  if (context) redacted.toolcrib = { ...rest.toolcrib, additional_context: clean(context) }
  return redacted
}

/** Removes the output; that there was a result, and why it was removed, stays. */
export function dropResult(result: ToolResult, reason: string): ToolResult {
  return emptied(result, undefined, `The result was dropped: ${reason}`)
}

/** The record in the log for a result that only its caller may have. */
export function keepEnvelope(result: ToolResult, reason: string): ToolResult {
  const kept = emptied(result, undefined, `The result was given to its caller and not kept: ${reason}`)
  return { ...kept, status: result.status }
}

/** The error text for people depends only on the error's class and holds nothing of the output. */
function personText({ error, toolcrib }: ToolResult): string | undefined {
  return error && describeError(error, String(toolcrib?.['tool_id'] ?? 'The tool')).forPerson
}

const PARTLY = 'A part of the work failed; the message of the tool about it was removed.'
const FAILED = 'The command failed; its message about that was removed.'

/** Removes everything made from the output: its forms, its refs, its failure message. */
function emptied(result: ToolResult, content: string | undefined, shown: string): ToolResult {
  const { schema_version, result_id, invocation_id, is_error, created_at, error, toolcrib = {} } = result
  const { context_modifier: _, ...own } = toolcrib
  const person = personText(result)
  return {
    schema_version,
    result_id,
    invocation_id,
    status: 'redacted',
    is_error,
    content: content === undefined ? [] : [{ type: 'text', text: content }],
    model_facing_content: [{ type: 'text', text: shown }],
    ...(person !== undefined && { ui_facing_summary: person }),
    redaction_state: 'redacted',
    created_at,
    ...(error && { error: { ...error, message: is_error ? FAILED : PARTLY } }),
    toolcrib: own,
  }
}
