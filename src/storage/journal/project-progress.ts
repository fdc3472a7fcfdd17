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

/** How far the reading of one call's progress has come: what the next events are to be understood by. */
export interface ProgressPlace {
  /** The last event that was read. */
  sequence: number
  status: InvocationStatus | undefined
  startedAt: number | undefined
  /** What was counted so far: it holds until something else is said. */
  known: Partial<ToolProgress>
  /** The call has its result: nothing follows. */
  isOver: boolean
}

export function startOfProgress(): ProgressPlace {
  return { sequence: 0, status: undefined, startedAt: undefined, known: {}, isOver: false }
}

/**
 * A call's progress from the given place on, which moves along: what its executor said, and what follows from its
 * other events. The sequence of each is the place of its event, so none is kept twice and none can be missed.
 */
export function* projectProgress(
  chunks: readonly LoggedChunk[],
  place: ProgressPlace = startOfProgress(),
): Generator<ToolProgress, void, void> {
  for (const { stream, events, baseTime, firstSequence } of chunks) {
    for (let index = Math.max(0, place.sequence + 1 - firstSequence); index < eventCount(events); index++) {
      const draft = eventAt(events, index, baseTime)
      const progress = take(place, draft, { invocationId: stream, sequence: firstSequence + index })
      if (!progress) continue
      for (const field of LASTING)
        if (progress[field] !== undefined) Object.assign(place.known, { [field]: progress[field] })
      yield progress
    }
  }
}

interface At {
  invocationId: string
  sequence: number
}

function take(place: ProgressPlace, draft: EventDraft, at: At): ToolProgress | undefined {
  const before = place.status
  const told = (status: ProgressStatus, message?: unknown): ToolProgress =>
    derive(place, draft, { ...at, status, message })
  place.sequence = at.sequence
  place.status = statusOfEvent(draft) ?? before
  const data = (draft.data ?? {}) as Record<string, unknown>
  switch (draft.type) {
    case 'tool.invocation.progress':
    case 'tool.invocation.partial_result':
      return data['progress'] as ToolProgress
    case 'tool.invocation.queued':
      return told('queued')
    case 'tool.permission.requested':
      return told('waiting_for_permission', reasonOf(data))
    case 'tool.invocation.started':
      place.startedAt ??= draft.at
      return told('started')
    case 'toolcrib.invocation.attempt_failed':
      place.known = knownOfCall(place.known)
      return undefined
    case 'toolcrib.invocation.needs_input':
      return told('waiting_for_input', data['message'])
    case 'toolcrib.invocation.resumed':
      // After a part of the result it says nothing new.
      return before === 'needs_input' ? told('running') : undefined
    case 'tool.result.created':
      place.isOver = true
      return atTheEnd(place, draft, at)
    default:
      return undefined
  }
}

/** What is true of the call and not of one attempt: the next one counts anew. */
function knownOfCall({ task_id, toolcrib }: Partial<ToolProgress>): Partial<ToolProgress> {
  const timeoutMs = toolcrib?.['timeout_ms']
  return {
    ...(task_id !== undefined && { task_id }),
    ...(timeoutMs !== undefined && { toolcrib: { timeout_ms: timeoutMs } }),
  }
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

function atTheEnd(place: ProgressPlace, draft: EventDraft, at: At): ToolProgress {
  const result = draft.data as ToolResult
  const { status = 'failed' } = place
  const progress = derive(place, draft, {
    ...at,
    status: isTerminal(status) ? STATUS_AT_END[status] : 'failed',
    message: result.error?.message,
  })
  if (result.artifact_refs && result.artifact_refs.length > 0) progress.artifact_refs = result.artifact_refs
  if (progress.status === 'completed') {
    // How far it had come when it last said so is no longer true.
    delete progress.percent
    delete progress.current_step
  }
  return progress
}

/** A record that follows from an event. What was counted so far still holds. */
function derive(
  { startedAt, known }: ProgressPlace,
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
