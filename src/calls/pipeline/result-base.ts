import { isoTime } from '../../foundation/contract/iso-time.js'
import type { ToolResult } from '../../foundation/contract/objects/tool-result.js'
import { SCHEMA_VERSION, type ResultStatus } from '../../foundation/contract/unions.js'
import type { CallRun } from './call-run.js'
import type { CallState } from './call-state.js'

/** What every result says, whatever happened. */
export function resultBase(call: CallState, run: CallRun, status: ResultStatus): ToolResult {
  const now = run.world.now()
  return {
    schema_version: SCHEMA_VERSION,
    result_id: `res_${call.invocationId}`,
    invocation_id: call.invocationId,
    status,
    is_error: false,
    redaction_state: 'none',
    created_at: isoTime(now),
    toolcrib: ownFieldsOf(call, now),
  }
}

function ownFieldsOf(call: CallState, now: number): Record<string, unknown> {
  const own: Record<string, unknown> = { tool_id: call.toolId }
  if (call.request.nativeCallId !== undefined) own['native_call_id'] = call.request.nativeCallId
  if (call.startedAt !== undefined) own['duration_ms'] = now - call.startedAt
  if (call.mutations.length > 0) own['input_mutations'] = call.mutations
  if (call.additionalContext.length > 0) own['additional_context'] = call.additionalContext
  return own
}
