import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { isoTime } from '../../contract/iso-time.js'
import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import { SCHEMA_VERSION, type ResultStatus } from '../../contract/unions.js'
import { shareData } from '../../storage/event-list.js'
import { attemptOf } from '../execute/attempt-state.js'
import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { deepFreeze } from '../../platform/json/deep-freeze.js'
import { shownId } from '../input/shown-input.js'

export interface ResultParts {
  content: ContentBlock[]
  modelFacing: ContentBlock[]
  /** Absent if the output is only text or empty. */
  structured?: unknown
}

/** The fields of every result. Written out in one piece: adding a property later costs more than all of them. */
export function createResult(
  call: CallState,
  run: CallRun,
  status: ResultStatus,
  parts: ResultParts,
): ToolResult {
  const isError = status !== 'succeeded' && status !== 'partial_succeeded'
  const now = run.at
  if (parts.structured === undefined) {
    return {
      schema_version: SCHEMA_VERSION,
      result_id: `res_${call.invocationId}`,
      invocation_id: call.invocationId,
      status,
      is_error: isError,
      content: parts.content,
      model_facing_content: parts.modelFacing,
      redaction_state: 'none',
      created_at: isoTime(now),
      toolcrib: ownFieldsOf(call, run),
    }
  }
  return {
    schema_version: SCHEMA_VERSION,
    result_id: `res_${call.invocationId}`,
    invocation_id: call.invocationId,
    status,
    is_error: isError,
    content: parts.content,
    structured_content: parts.structured,
    model_facing_content: parts.modelFacing,
    redaction_state: 'none',
    created_at: isoTime(now),
    toolcrib: ownFieldsOf(call, run),
  }
}

function ownFieldsOf(call: CallState, run: CallRun): Record<string, unknown> {
  const { toolId: tool_id, startedAt, mutations, additionalContext, exit } = call
  const { nativeCallId: native_call_id, requestedVia } = call.request
  const duration_ms = startedAt === undefined ? undefined : Math.max(0, run.at - startedAt)
  const isPlain =
    native_call_id === undefined &&
    requestedVia === undefined &&
    exit === undefined &&
    mutations.length === 0 &&
    additionalContext.length === 0 &&
    run.retrying === undefined &&
    run.isInputUnchecked !== true
  if (isPlain && duration_ms !== undefined && duration_ms < SHARED_MS)
    return sharedFields(run.tool!, duration_ms)
  const own: Record<string, unknown> = { tool_id }
  if (native_call_id !== undefined) own['native_call_id'] = shownId(native_call_id, run)
  const requestedName = requestedNameOf(call, run)
  if (requestedName !== undefined) own['requested_name'] = requestedName
  if (requestedVia !== undefined) own['requested_via'] = requestedVia
  if (duration_ms !== undefined) own['duration_ms'] = duration_ms
  if (attemptOf(run) > 1) own['attempts'] = attemptOf(run)
  if (exit !== undefined) own['exit'] = exit
  if (mutations.length > 0) own['input_mutations'] = mutations
  if (run.isInputUnchecked === true) own['input_unchecked'] = true
  if (additionalContext.length > 0) own['additional_context'] = additionalContext
  return deepFreeze(own)
}

/** The requested name, if an edge that answers a model could not derive it from the tool. */
function requestedNameOf({ request }: CallState, { tool, redactor }: CallRun): string | undefined {
  const { name, nativeCallId, requestedVia } = request
  // The name leads to no tool, so it may be any text that a model wrote.
  if (!tool) return redactor.text(name)
  if (requestedVia !== undefined) return name
  return nativeCallId !== undefined && name !== tool.providerName ? name : undefined
}

const SHARED_MS = 4

/** Quick calls of one tool share these fields, so that a log of a million of them does not repeat them. */
function sharedFields({ toolId, prepared }: CatalogTool, duration_ms: number): Record<string, unknown> {
  prepared.ownFields ??= Array.from({ length: SHARED_MS }, (_, ms) =>
    shareData({ tool_id: toolId, duration_ms: ms }),
  )
  return prepared.ownFields[duration_ms]!
}
