import { isoTime } from '../../../foundation/contract/iso-time.js'
import type { ToolResult } from '../../../foundation/contract/objects/tool-result.js'
import type { ToolResultPersistence } from '../../../foundation/contract/objects/tool-result-persistence.js'
import { SCHEMA_VERSION } from '../../../foundation/contract/unions.js'
import { previewText } from '../../results/preview-text.js'
import { record, type CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { consultHooks } from '../consult-hooks.js'
import { proceed, stop, type Step } from '../step.js'
import { toolError } from '../tool-error.js'

const PREVIEW_CHARS = 2000
const SUMMARY_CHARS = 200

/** Keeps what is small enough in the record; of the rest a preview, and the fact that more was there. */
export function persistResult(call: CallState, run: CallRun): Step | Promise<Step> {
  if (!call.result || call.error) return proceed()
  return run.world.hooks.length === 0 ? persist(call, run, call.result) : askHooks(call, run, call.result)
}

/** Hooks that may keep a result from being kept. */
async function askHooks(call: CallState, run: CallRun, result: ToolResult): Promise<Step> {
  for (const { hookId, answer, problem } of await consultHooks('result_persistence', call, run, {
    output: result.content,
  })) {
    // A gate that breaks has not opened.
    if (problem !== undefined)
      return stop(toolError('result_redacted', { message: problem }), { result: undefined })
    if (answer?.stop) {
      const message = `The hook "${hookId}" forbids keeping the result: ${String(answer.stop.reason)}`
      return stop(toolError('result_redacted', { message }), { result: undefined })
    }
  }
  return persist(call, run, result)
}

function persist(call: CallState, run: CallRun, result: ToolResult): Step {
  const limit = run.tool!.draft.output.maxInlineChars ?? run.world.maxInlineChars
  const size = call.resultSize
  return size <= limit ? proceed() : proceed({ result: cutDown(call, run, { result, limit, size }) })
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
    original_size_bytes: Math.max(size, Buffer.byteLength(text)),
    preview_size_bytes: Buffer.byteLength(preview),
    redaction_state: 'none',
    reason: 'result_exceeded_inline_limit',
    created_at: isoTime(run.world.now()),
  }
  record(run, 'tool.result.persisted', { persistence })
  const kept: ToolResult = {
    schema_version: result.schema_version,
    result_id: result.result_id,
    invocation_id: result.invocation_id,
    status: 'too_large',
    is_error: false,
    content: [{ type: 'text', text: preview }],
    model_facing_content: [{ type: 'text', text: `${note}\n${preview}` }],
    persistence_refs: [persistence.decision_id],
    created_at: result.created_at,
  }
  if (result.redaction_state !== undefined) kept.redaction_state = result.redaction_state
  if (result.error) kept.error = result.error
  if (result.ui_facing_summary) kept.ui_facing_summary = previewText(result.ui_facing_summary, SUMMARY_CHARS)
  if (result.toolcrib) {
    const { context_modifier: _dropped, ...own } = result.toolcrib
    kept.toolcrib = own
  }
  return kept
}
