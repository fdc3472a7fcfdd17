import { isoTime } from '../../foundation/contract/iso-time.js'
import type { ContentBlock, ToolResult } from '../../foundation/contract/objects/tool-result.js'
import { SCHEMA_VERSION, type ResultStatus } from '../../foundation/contract/unions.js'
import type { CallRun } from './call-run.js'
import type { CallState } from './call-state.js'

export interface ResultParts {
  status: ResultStatus
  isError: boolean
  content: ContentBlock[]
  modelFacing: ContentBlock[]
}

/** What every result says, whatever happened. Written out in one piece: it is made in every call. */
export function createResult(call: CallState, run: CallRun, parts: ResultParts): ToolResult {
  const now = run.world.now()
  return {
    schema_version: SCHEMA_VERSION,
    result_id: `res_${call.invocationId}`,
    invocation_id: call.invocationId,
    status: parts.status,
    is_error: parts.isError,
    content: parts.content,
    model_facing_content: parts.modelFacing,
    redaction_state: 'none',
    created_at: isoTime(now),
    toolcrib: ownFieldsOf(call, now),
  }
}

/** The same with structured content: a second literal, for a property added later costs more than all the others. */
export function createStructuredResult(
  call: CallState,
  run: CallRun,
  parts: ResultParts & { structured: unknown },
): ToolResult {
  const now = run.world.now()
  return {
    schema_version: SCHEMA_VERSION,
    result_id: `res_${call.invocationId}`,
    invocation_id: call.invocationId,
    status: parts.status,
    is_error: parts.isError,
    content: parts.content,
    structured_content: parts.structured,
    model_facing_content: parts.modelFacing,
    redaction_state: 'none',
    created_at: isoTime(now),
    toolcrib: ownFieldsOf(call, now),
  }
}

function ownFieldsOf(call: CallState, now: number): Record<string, unknown> {
  const { toolId: tool_id, startedAt, mutations, additionalContext } = call
  const { nativeCallId: native_call_id } = call.request
  const duration_ms = startedAt === undefined ? undefined : now - startedAt
  const own: Record<string, unknown> =
    native_call_id === undefined
      ? duration_ms === undefined
        ? { tool_id }
        : { tool_id, duration_ms }
      : duration_ms === undefined
        ? { tool_id, native_call_id }
        : { tool_id, native_call_id, duration_ms }
  if (mutations.length > 0) own['input_mutations'] = mutations
  if (additionalContext.length > 0) own['additional_context'] = additionalContext
  return own
}
