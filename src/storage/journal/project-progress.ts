import { describeWait } from '../../contract/describe-wait.js'
import { isoTime } from '../../contract/iso-time.js'
import type { ToolProgress } from '../../contract/objects/tool-progress.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import { isTerminal, type TerminalStatus } from '../../contract/status-table.js'
import { SCHEMA_VERSION, type InvocationStatus, type ProgressStatus } from '../../contract/unions.js'
import { eventAt, eventCount, type EventDraft } from '../event-list.js'
import type { LoggedChunk } from '../store.js'
import { statusOfEvent } from './event-status.js'

export function progressIdOf(invocationId: string, sequence: number): string {
  return `prog_${invocationId}_${sequence}`
}

const LASTING = [
  'percent',
  'current_step',
  'total_steps',
  'bytes_read',
  'bytes_written',
  'line_count',
  'task_id',
  'toolcrib',
] as const

/** How far one call's progress has been read: the state that later events need. */
export interface ProgressState {
  /** The last event that was read. */
  sequence: number
  status: InvocationStatus | undefined
  startedAt: number | undefined
  /** The last counts: they apply until another update. */
  known: Partial<ToolProgress>
  /** The call has its result: nothing follows. */
  isOver: boolean
}

export function startOfProgress(): ProgressState {
  return { sequence: 0, status: undefined, startedAt: undefined, known: {}, isOver: false }
}

/**
 * A call's progress from the given state on, which is updated: the executor's updates, and those that follow from its
 * other events. The sequence of each is that of its event, so none is stored twice and none is missed.
 */
export function* projectProgress(
  chunks: readonly LoggedChunk[],
  state: ProgressState = startOfProgress(),
): Generator<ToolProgress, void, void> {
  for (const { stream, events, baseTime, firstSequence } of chunks) {
    for (let index = Math.max(0, state.sequence + 1 - firstSequence); index < eventCount(events); index++) {
      const draft = eventAt(events, index, baseTime)
      const progress = take(state, draft, { invocationId: stream, sequence: firstSequence + index })
      if (!progress) continue
      for (const field of LASTING)
        if (progress[field] !== undefined) Object.assign(state.known, { [field]: progress[field] })
      yield progress
    }
  }
}

interface At {
  invocationId: string
  sequence: number
}

function take(state: ProgressState, draft: EventDraft, at: At): ToolProgress | undefined {
  const before = state.status
  const update = (status: ProgressStatus, message?: unknown): ToolProgress =>
    derive(state, draft, { ...at, status, message })
  state.sequence = at.sequence
  state.status = statusOfEvent(draft) ?? before
  const data = (draft.data ?? {}) as Record<string, unknown>
  switch (draft.type) {
    case 'tool.invocation.progress':
    case 'tool.invocation.partial_result':
      return data['progress'] as ToolProgress
    case 'tool.invocation.queued':
      return update('queued', waitOf(data))
    case 'tool.permission.requested':
      return update('waiting_for_permission', reasonOf(data))
    case 'tool.invocation.started':
      state.startedAt ??= draft.at
      return update('started')
    case 'toolcrib.invocation.attempt_failed':
      state.known = knownOfCall(state.known)
      return undefined
    case 'toolcrib.invocation.needs_input':
      return update('waiting_for_input', data['message'])
    case 'toolcrib.invocation.resumed':
      // After a part of the result it adds nothing.
      return before === 'needs_input' ? update('running') : undefined
    case 'tool.result.created':
      state.isOver = true
      return atTheEnd(state, draft, at)
    default:
      return undefined
  }
}

/** Facts about the call and not about one attempt: the next attempt counts anew. */
function knownOfCall({ task_id, toolcrib }: Partial<ToolProgress>): Partial<ToolProgress> {
  const timeoutMs = toolcrib?.['timeout_ms']
  return {
    ...(task_id !== undefined && { task_id }),
    ...(timeoutMs !== undefined && { toolcrib: { timeout_ms: timeoutMs } }),
  }
}

function waitOf(data: Record<string, unknown>): string | undefined {
  const wait = describeWait(data)
  return wait === undefined ? undefined : `waits for ${wait}`
}

function reasonOf({ decision }: Record<string, unknown>): unknown {
  return (decision as { reason?: { message?: unknown } } | undefined)?.reason?.message
}

const STATUS_AT_END: Record<TerminalStatus, ProgressStatus> = {
  succeeded: 'completed',
  canceled: 'canceled',
  failed: 'failed',
  timed_out: 'failed',
  denied: 'failed',
  blocked: 'failed',
  schema_parse_failed: 'failed',
  validation_failed: 'failed',
}

function atTheEnd(state: ProgressState, draft: EventDraft, at: At): ToolProgress {
  const result = draft.data as ToolResult
  const { status = 'failed' } = state
  const progress = derive(state, draft, {
    ...at,
    status: isTerminal(status) ? STATUS_AT_END[status] : 'failed',
    message: result.error?.message,
  })
  if (result.artifact_refs && result.artifact_refs.length > 0) progress.artifact_refs = result.artifact_refs
  if (progress.status === 'completed') {
    // The last counts are no longer true.
    delete progress.percent
    delete progress.current_step
  }
  return progress
}

/** A record that follows from an event. The last counts still apply. */
function derive(
  { startedAt, known }: ProgressState,
  draft: EventDraft,
  { invocationId, sequence, status, message }: At & { status: ProgressStatus; message: unknown },
): ToolProgress {
  const progress: ToolProgress = {
    ...known,
    schema_version: SCHEMA_VERSION,
    progress_id: progressIdOf(invocationId, sequence),
    invocation_id: invocationId,
    sequence,
    status,
    timestamp: isoTime(draft.at),
  }
  if (startedAt !== undefined) progress.elapsed_ms = Math.max(0, Math.round(draft.at - startedAt))
  if (typeof message === 'string' && message !== '') progress.message = message
  return progress
}
