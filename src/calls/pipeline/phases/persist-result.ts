import { isoTime } from '../../../foundation/contract/iso-time.js'
import type { ToolResult } from '../../../foundation/contract/objects/tool-result.js'
import type { ToolResultPersistence } from '../../../foundation/contract/objects/tool-result-persistence.js'
import { SCHEMA_VERSION } from '../../../foundation/contract/unions.js'
import { cutDown } from '../../results/cut-down.js'
import { dropResult, keepEnvelope, redactResult } from '../../results/redact-result.js'
import { record, type CallRun } from '../call-run.js'
import { hasOwnResult, type CallState } from '../call-state.js'
import { hooksFor } from '../hooks-for.js'
import { persistenceWishes, type PersistenceWishes } from '../persistence-wishes.js'
import { proceed, stop, type Patch, type Step } from '../step.js'
import { toolError } from '../tool-error.js'
import { shownOutput } from './post-hooks.js'

/** Keeps what is small enough in the record; of the rest a preview, and the fact that more was there. */
export function persistResult(call: CallState, run: CallRun): Step | Promise<Step> {
  const { result } = call
  if (!result || !hasOwnResult(call)) return proceed()
  if (run.world.hooks.length > 0 && hooksFor(run, 'result_persistence').length > 0)
    return askHooks(call, run, result)
  return call.resultSize <= limitOf(run) ? proceed() : persist(call, run, { result, wishes: {} })
}

async function askHooks(call: CallState, run: CallRun, result: ToolResult): Promise<Step> {
  const wishes = await persistenceWishes(call, run, shownOutput(result))
  const { withheld, dropped, redacted, notKept } = wishes
  if (withheld !== undefined)
    return stop(toolError('result_redacted', { message: withheld }), { result: undefined })
  if (!dropped && !redacted && !notKept && call.resultSize <= limitOf(run)) return proceed()
  return persist(call, run, { result, wishes })
}

function persist(
  call: CallState,
  run: CallRun,
  { result, wishes }: { result: ToolResult; wishes: PersistenceWishes },
): Step {
  const limit = limitOf(run)
  const { notKept } = wishes
  const left = leftOf(result, wishes)
  if (left !== result) record(run, 'tool.result.redacted', redactionOf(left, wishes))
  const size = left === result ? call.resultSize : sizeOf(left)
  const tooLong = size > limit ? cutDown(left, { size, limit }) : undefined
  const persistence: ToolResultPersistence = {
    schema_version: SCHEMA_VERSION,
    decision_id: `persist_${call.invocationId}`,
    invocation_id: call.invocationId,
    result_id: result.result_id,
    ...strategyOf(wishes, tooLong !== undefined),
    threshold: { max_inline_chars: limit },
    original_size_bytes: Math.max(call.resultSize, tooLong?.originalBytes ?? 0),
    preview_size_bytes: notKept || wishes.dropped ? 0 : (tooLong?.previewBytes ?? size),
    redaction_state: left.redaction_state ?? 'none',
    created_at: isoTime(run.world.now()),
  }
  record(run, 'tool.result.persisted', { persistence })
  const given: ToolResult = { ...(tooLong?.cut ?? left), persistence_refs: [persistence.decision_id] }
  // Of an error that tells what came out, only what is left of it may be told.
  const patch: Patch = call.error ? { result: given, error: given.error } : { result: given }
  if (!notKept) return proceed(patch)
  const kept = keepEnvelope(given, notKept.reason)
  return proceed({ ...patch, kept: { ...kept, persistence_refs: [persistence.decision_id] } })
}

/** What anybody may have of the result. */
function leftOf(result: ToolResult, { dropped, redacted }: PersistenceWishes): ToolResult {
  if (dropped) return dropResult(result, dropped.reason)
  return redacted ? redactResult(result, redacted) : result
}

/** What was taken out of the result, and who wanted that. */
function redactionOf(left: ToolResult, { dropped, redacted }: PersistenceWishes): object {
  const { reason, by } = (dropped ?? redacted)!
  return {
    result_id: left.result_id,
    redaction_state: left.redaction_state,
    reason,
    by,
    ...(!dropped && redacted?.fields && { fields: redacted.fields }),
  }
}

/** The one decision that says most about what is kept: a call has one. */
function strategyOf(
  { notKept, dropped, redacted }: PersistenceWishes,
  isTooLong: boolean,
): Pick<ToolResultPersistence, 'strategy' | 'reason' | 'toolcrib'> {
  const toolcrib = redacted && { redacted_by: redacted.by, redaction_reason: redacted.reason }
  if (notKept)
    return {
      strategy: 'never_persist',
      reason: notKept.reason,
      toolcrib: { ...toolcrib, by: notKept.by },
    }
  if (dropped) return { strategy: 'drop_with_reason', reason: dropped.reason, toolcrib: { by: dropped.by } }
  if (isTooLong || !redacted)
    return {
      strategy: 'drop_with_reason',
      reason: 'result_exceeded_inline_limit',
      ...(toolcrib && { toolcrib }),
    }
  const { reason, by, fields } = redacted
  return { strategy: 'redact', reason, toolcrib: { by, ...(fields && { fields }) } }
}

function sizeOf({ content, model_facing_content: modelFacing }: ToolResult): number {
  const length = JSON.stringify(content ?? []).length
  return modelFacing === content ? length : length + JSON.stringify(modelFacing ?? []).length
}

function limitOf(run: CallRun): number {
  return run.tool!.draft.output.maxInlineChars ?? run.world.maxInlineChars
}
