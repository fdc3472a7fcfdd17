import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import { SCHEMA_VERSION } from '../../contract/unions.js'

export interface Receipt {
  invocationId: string
  toolId: string
  nativeCallId?: string | undefined
  /** The tool through which the call was requested, if it was another. */
  requestedVia?: string | undefined
  /** An ISO time. */
  createdAt: string
}

export function receiptIdOf(invocationId: string): string {
  return `receipt_${invocationId}`
}

/** The immediate answer for a background call. It is not the result, which is recorded later. */
export function createReceipt({
  invocationId,
  toolId,
  nativeCallId,
  requestedVia,
  createdAt,
}: Receipt): ToolResult {
  const text =
    `The call runs in the background as ${invocationId} and has no result yet. ` +
    'Ask for its status, progress or result, or cancel it, by that id.'
  const content: ContentBlock[] = [{ type: 'text', text }]
  return {
    schema_version: SCHEMA_VERSION,
    result_id: receiptIdOf(invocationId),
    invocation_id: invocationId,
    status: 'partial_succeeded',
    is_error: false,
    content,
    model_facing_content: content,
    redaction_state: 'none',
    created_at: createdAt,
    toolcrib: {
      tool_id: toolId,
      ...(nativeCallId !== undefined && { native_call_id: nativeCallId }),
      ...(requestedVia !== undefined && { requested_via: requestedVia }),
      receipt: true,
      task_id: invocationId,
    },
  }
}
