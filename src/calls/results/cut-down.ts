import type { ToolResult } from '../../foundation/contract/objects/tool-result.js'
import { previewText } from './preview-text.js'

const PREVIEW_CHARS = 2000
const SUMMARY_CHARS = 200

/** Of a result that is too long its beginning, and the fact that more was there. */
export function cutDown(
  result: ToolResult,
  { size, limit }: { size: number; limit: number },
): { cut: ToolResult; originalBytes: number; previewBytes: number } {
  const text = (result.model_facing_content ?? []).map((block) => block.text ?? '').join('\n')
  const preview = previewText(text, Math.min(PREVIEW_CHARS, limit))
  const note = `The output has ${size} characters, more than the ${limit} that are kept; this is its beginning:`
  const cut: ToolResult = {
    schema_version: result.schema_version,
    result_id: result.result_id,
    invocation_id: result.invocation_id,
    // A failure stays one, however much was said about it.
    status: result.is_error ? result.status : 'too_large',
    is_error: result.is_error ?? false,
    content: [{ type: 'text', text: preview }],
    model_facing_content: [{ type: 'text', text: `${note}\n${preview}` }],
    created_at: result.created_at,
  }
  if (result.redaction_state !== undefined) cut.redaction_state = result.redaction_state
  if (result.error) cut.error = result.error
  if (result.ui_facing_summary) cut.ui_facing_summary = previewText(result.ui_facing_summary, SUMMARY_CHARS)
  if (result.toolcrib) {
    const { context_modifier: _dropped, ...own } = result.toolcrib
    cut.toolcrib = own
  }
  return {
    cut,
    originalBytes: Math.max(size, Buffer.byteLength(text)),
    previewBytes: Buffer.byteLength(preview),
  }
}
