import { isoTime } from '../../../foundation/contract/iso-time.js'
import type { ToolResult } from '../../../foundation/contract/objects/tool-result.js'
import type { ToolResultPersistence } from '../../../foundation/contract/objects/tool-result-persistence.js'
import { SCHEMA_VERSION } from '../../../foundation/contract/unions.js'
import { previewText } from '../../results/preview-text.js'
import { record, type CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { proceed, type Step } from '../step.js'

const PREVIEW_CHARS = 2000

/** Keeps what is small enough in the record; of the rest a preview, and the fact that more was there. */
export function persistResult(call: CallState, run: CallRun): Step {
  const { result } = call
  if (!result || call.error) return proceed()
  const limit = run.tool!.draft.output.maxInlineChars ?? run.world.maxInlineChars
  const size = sizeOf(result)
  return size <= limit ? proceed() : proceed({ result: cutDown(call, run, { result, limit, size }) })
}

function sizeOf({ model_facing_content: shown, content }: ToolResult): number {
  let size = 0
  for (const block of shown ?? []) size += typeof block.text === 'string' ? block.text.length : 0
  if (shown === content) return size
  let kept = 0
  for (const block of content ?? []) kept += typeof block.text === 'string' ? block.text.length : 0
  return Math.max(size, kept)
}

function cutDown(
  call: CallState,
  run: CallRun,
  { result, limit, size }: { result: ToolResult; limit: number; size: number },
): ToolResult {
  const text = (result.model_facing_content ?? []).map((block) => block.text ?? '').join('\n')
  const preview = previewText(text, Math.min(PREVIEW_CHARS, limit))
  const note = `The output has ${size} characters, more than the ${limit} that are kept; this is its beginning:`
  const persistence: ToolResultPersistence = {
    schema_version: SCHEMA_VERSION,
    decision_id: `persist_${call.invocationId}`,
    invocation_id: call.invocationId,
    result_id: result.result_id,
    strategy: 'drop_with_reason',
    threshold: { max_inline_chars: limit },
    original_size_bytes: Buffer.byteLength(text),
    preview_size_bytes: Buffer.byteLength(preview),
    redaction_state: 'none',
    reason: 'result_exceeded_inline_limit',
    created_at: isoTime(run.world.now()),
  }
  record(run, 'tool.result.persisted', { persistence })
  const { structured_content: _dropped, ...kept } = result
  return {
    ...kept,
    status: 'too_large',
    content: [{ type: 'text', text: preview }],
    model_facing_content: [{ type: 'text', text: `${note}\n${preview}` }],
    persistence_refs: [persistence.decision_id],
  }
}
