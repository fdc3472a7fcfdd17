import { isoTime } from '../foundation/contract/iso-time.js'
import type { ToolResult } from '../foundation/contract/objects/tool-result.js'
import { SCHEMA_VERSION } from '../foundation/contract/unions.js'
import { projectCall, type CallStory } from '../foundation/events/project-call.js'
import { eventCount, toEventList, type EventDraft } from '../foundation/stores/event-list.js'
import type { CallRow, CallWrite, Store } from '../foundation/stores/store.js'
import { toolError } from '../calls/pipeline/tool-error.js'
import { createOwnerCheck, forgetDeadOwners } from './owner.js'

const PAGE = 200

/**
 * Closes what dead owners left open, each call with the one result it still lacks. Calls of living owners and calls
 * that wait for a person are not touched. Returns how many were closed.
 */
export async function recoverCalls(store: Store, now: () => number): Promise<number> {
  const isDead = createOwnerCheck(store, now)
  let closed = 0
  let cursor: string | undefined
  do {
    const page = await store.listCalls({ open: true, limit: PAGE, cursor })
    for (const row of page.rows) {
      if (row.status === 'awaiting_approval' || row.owner === undefined || !(await isDead(row.owner)))
        continue
      if (await closeCall(store, row, now())) closed++
    }
    cursor = page.cursor
  } while (cursor !== undefined)
  await store.sync()
  await forgetDeadOwners(store, now())
  return closed
}

async function closeCall(store: Store, row: CallRow, now: number): Promise<boolean> {
  const chunks = await store.readStream(row.tenant, row.invocationId)
  const story = projectCall(chunks)
  if (!story) return false
  const written = chunks.reduce((sum, { events }) => sum + eventCount(events), 0)
  const { drafts, status, result } = endingOf(story, now)
  const write: CallWrite = {
    row: { ...row, status, resultStatus: result.status, owner: undefined, revision: row.revision + 1 },
    firstSequence: written + 1,
    events: toEventList(drafts, row.createdAt),
  }
  // Two processes may recover at once: whoever is second finds the revision moved on, and all is well.
  const { conflictingCalls } = await store.write({ calls: [write] })
  return conflictingCalls.length === 0
}

interface Ending {
  status: 'failed' | 'canceled'
  result: ToolResult
  drafts: EventDraft[]
}

/** A call that never started is cancelled; of one that did, nobody knows what it had done. */
function endingOf({ invocation }: CallStory, now: number): Ending {
  const hasStarted = invocation.started_at !== undefined
  const isReadOnly = invocation.scheduler?.is_read_only === true
  const status = hasStarted ? 'failed' : 'canceled'
  const error = hasStarted
    ? toolError('execution_failed', {
        code: 'toolcrib.owner_lost',
        message: isReadOnly
          ? 'The process that ran the call ended before the result was recorded; the tool only reads, so call it again.'
          : 'The process that ran the call ended before the result was recorded; check whether it took effect before you call it again.',
        recoverability: isReadOnly ? 'retry' : 'inspect_first',
        retrySafe: isReadOnly,
      })
    : toolError('canceled', {
        code: 'toolcrib.owner_lost',
        message:
          'The process that was to run the call ended before it started; nothing happened, so call it again.',
        recoverability: 'retry',
        retrySafe: true,
      })
  const content: NonNullable<ToolResult['content']> = [{ type: 'text', text: error.message }]
  const result: ToolResult = {
    schema_version: SCHEMA_VERSION,
    result_id: `res_${invocation.invocation_id}`,
    invocation_id: invocation.invocation_id,
    status: 'synthetic_error',
    is_error: true,
    content,
    model_facing_content: content,
    redaction_state: 'none',
    error,
    abort_reason: 'runtime_shutdown',
    created_at: isoTime(now),
    toolcrib: { tool_id: invocation.tool_id, native_call_id: invocation.native_call_id, recovered: true },
  }
  const type = hasStarted ? 'tool.invocation.failed' : 'tool.invocation.canceled'
  return {
    status,
    result,
    drafts: [
      {
        type,
        at: now,
        data: { error_class: error.error_class, error_code: error.error_code, recovered: true },
      },
      { type: 'tool.result.created', at: now, data: result },
    ],
  }
}
