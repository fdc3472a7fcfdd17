import { isoTime } from '../../contract/iso-time.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import type { ToolInvocation } from '../../contract/objects/tool-invocation.js'
import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import { describeError } from '../../contract/describe-error.js'
import { UNKNOWN_TOOL_ID } from '../../contract/status-table.js'
import type { AbortReason, EventClass, ResultStatus } from '../../contract/unions.js'
import { SCHEMA_VERSION } from '../../contract/unions.js'
import { projectCall, type CallStory } from '../../storage/journal/project-call.js'
import { holdsMark } from '../../redaction/holds-mark.js'
import { eventCount, toEventList, type EventDraft } from '../../storage/event-list.js'
import type { CallRow, DocumentWrite, LoggedChunk, Store } from '../../storage/store.js'

/** How to end a call that no process runs. */
export interface CallEnd {
  status: 'failed' | 'canceled' | 'denied'
  resultStatus: ResultStatus
  error: ToolError
  abortReason?: AbortReason
  /** Events that are known to have happened before the end. */
  before?: readonly EventDraft[]
}

const EVENT_OF: Record<CallEnd['status'], EventClass> = {
  failed: 'tool.invocation.failed',
  canceled: 'tool.invocation.canceled',
  denied: 'toolcrib.invocation.denied',
}

/** Writes the missing result of a call. `false` if another process has written it meanwhile. */
export async function closeCall(
  store: Store,
  {
    row,
    chunks,
    now,
    documents = [],
  }: { row: CallRow; chunks: readonly LoggedChunk[]; now: number; documents?: readonly DocumentWrite[] },
  endingOf: (story: CallStory) => CallEnd,
): Promise<boolean> {
  const story = projectCall(chunks)
  if (!story) return false
  const ending = endingOf(story)
  const { status, resultStatus, error, before = [] } = ending
  const result = resultOf(story.invocation, ending, now)
  const data = { error_class: error.error_class, error_code: error.error_code, recovered: true }
  const drafts: EventDraft[] = [
    ...before,
    { type: EVENT_OF[status], at: now, data },
    { type: 'tool.result.created', at: now, data: result },
  ]
  const { conflictingCalls } = await store.write({
    calls: [
      {
        row: { ...row, status, resultStatus, owner: undefined, revision: row.revision + 1 },
        firstSequence: countEvents(chunks) + 1,
        events: toEventList(drafts, row.createdAt),
      },
    ],
    documents,
  })
  // Two processes may do this concurrently: the second one gets a revision conflict, which is correct.
  return conflictingCalls.length === 0
}

export function countEvents(chunks: readonly LoggedChunk[]): number {
  return chunks.reduce((sum, { events }) => sum + eventCount(events), 0)
}

function resultOf(
  invocation: ToolInvocation,
  { resultStatus, error, abortReason }: CallEnd,
  now: number,
): ToolResult {
  const attempts = Number(invocation.toolcrib?.['attempts'] ?? 0)
  const { forModel, forPerson } = describeError(error, toolNameOf(invocation))
  const said: ContentBlock = { type: 'text', text: error.message }
  return {
    schema_version: SCHEMA_VERSION,
    result_id: `res_${invocation.invocation_id}`,
    invocation_id: invocation.invocation_id,
    status: resultStatus,
    is_error: true,
    content: [said],
    model_facing_content: [said, { type: 'text', text: forModel }],
    ui_facing_summary: forPerson,
    redaction_state: holdsMark(error) ? 'partially_redacted' : 'none',
    error,
    ...(abortReason && { abort_reason: abortReason }),
    created_at: isoTime(now),
    toolcrib: {
      tool_id: invocation.tool_id,
      native_call_id: invocation.native_call_id,
      ...(attempts > 1 && { attempts }),
      recovered: true,
    },
  }
}

/** The tool may not be in this catalog: use the record only. */
function toolNameOf({ tool_id: toolId, toolcrib }: ToolInvocation): string {
  const asked = toolcrib?.['requested_name']
  return toolId === UNKNOWN_TOOL_ID && typeof asked === 'string' ? asked : toolId
}
