import { isLegalTransition } from '../contract/status-table.js'
import type { EventClass, InvocationStatus } from '../contract/unions.js'
import { eventCount } from '../storage/event-list.js'
import { ComputedData } from '../storage/computed-data.js'
import type { CallEntry } from '../storage/journal/journal.js'
import type { CallRun, RecordState } from './call-run.js'
import { cleanValue, type Cleaned } from './secrets/clean.js'

/** The parts of a run that recording needs. */
export type RecordedRun = Pick<CallRun, 'ports' | 'listeners' | 'isOver'> & CallEntry & RecordState & Cleaned

/** The data of these events is redacted where it is made. Walking it here again would cost more than making it did. */
function isCleanAlready(type: EventClass): boolean {
  switch (type) {
    case 'tool.invocation.planned':
    case 'tool.invocation.selected':
    case 'tool.invocation.arguments_ready':
    case 'tool.permission.decided':
    case 'tool.invocation.started':
    case 'tool.invocation.succeeded':
    case 'tool.result.created':
      return true
    default:
      return false
  }
}

/**
 * Records a fact about the call. Facts of one moment share its time, because reading the clock costs as much as
 * recording. Listeners may get more data than the log stores.
 */
export function record(
  run: RecordedRun,
  type: EventClass,
  given?: object,
  at = run.ports.now(),
  forListeners?: object,
): void {
  // A phase that a cancellation left behind may still record. The call has its result by then.
  if (run.isOver && type !== 'toolcrib.result.late_discarded' && type !== 'toolcrib.invocation.yielded')
    return
  if (at > run.at) run.at = at
  // Data is normally redacted where it is made. This covers callers that forget to.
  const data = given === undefined || isCleanAlready(type) ? given : cleanValue(given, run)
  // `at` may be earlier than the last event. The log's times never go back.
  run.ports.journal.record(run, type, run.at, data)
  if (!run.listeners) return
  const shown = forListeners === undefined ? wholeOf(data) : cleanValue(forListeners, run)
  for (const listen of run.listeners) listen({ type, at: run.at, data: shown })
}

function wholeOf(data: object | undefined): object | undefined {
  return data instanceof ComputedData ? data.whole() : data
}

/** The sequence number of the last recorded event. */
export function lastSequence({ handedOver, events }: Pick<CallEntry, 'handedOver' | 'events'>): number {
  return handedOver + eventCount(events)
}

/** Changes the call's status and records it. */
export function moveTo(
  run: RecordedRun,
  status: InvocationStatus,
  type: EventClass,
  data?: object,
  at?: number,
  forListeners?: object,
): void {
  const { row } = run
  if (run.isOver) return
  if (!isLegalTransition(row.status, status)) {
    throw new Error(`A call cannot go from ${row.status} to ${status}.`)
  }
  row.status = status
  record(run, type, data, at, forListeners)
}
