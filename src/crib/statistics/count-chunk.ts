import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { ToolSurface } from '../../contract/objects/tool-surface.js'
import type { InvocationStatus } from '../../contract/unions.js'
import { indexAfter } from '../../storage/chunk-positions.js'
import { eventAt, eventCount, eventTimeAt, eventTypeAt } from '../../storage/event-list.js'
import { statusOfEvent } from '../../storage/journal/event-status.js'
import type { LoggedChunk, Store } from '../../storage/store.js'
import { toolTotalsIn, type Bucket } from './bucket.js'
import type { CountedLog } from './counted-log.js'
import { addToHistogram } from './histogram.js'

/** Counts the events of a chunk after the position that is counted already. */
export type CountChunk = (chunk: LoggedChunk) => Promise<void>

export function createCountChunk(counted: CountedLog, store: Pick<Store, 'readStream'>): CountChunk {
  const savedBefore = createSavedBefore(store)
  return async (chunk) => {
    const { events, baseTime } = chunk
    for (let index = indexAfter(chunk, counted.position); index < eventCount(events); index++) {
      const at = eventTimeAt(events, index, baseTime)
      switch (eventTypeAt(events, index)) {
        case 'tool.permission.requested':
          counted.count(at, ({ totals }) => totals.approvals++)
          break
        case 'tool.result.created': {
          if (!chunk.call) break
          const result = eventAt(events, index, baseTime).data as ToolResult
          const times = timesOf(await wholeStream(chunk, store))
          countCall(counted, { toolId: chunk.call.toolId, result, at, times })
          break
        }
        case 'tool.surface.created':
        case 'tool.surface.updated': {
          const saved = savedAt(chunk, index)
          const more = saved - (await savedBefore(chunk, { index, saved }))
          if (more > 0) counted.count(at, ({ totals }) => (totals.tokensSaved += more))
          break
        }
        default: // other events are not counted
      }
    }
  }
}

/** Most calls are one chunk. The store is read again for the others, so that open calls need not be remembered. */
async function wholeStream(
  chunk: LoggedChunk,
  store: Pick<Store, 'readStream'>,
): Promise<readonly LoggedChunk[]> {
  if (chunk.firstSequence === 1) return [chunk]
  const whole = await store.readStream(chunk.tenant, chunk.stream)
  // Its record may have been deleted since the log was read.
  return whole.length > 0 ? whole : [chunk]
}

interface EndedCall {
  readonly toolId: string
  readonly result: ToolResult
  readonly at: number
  readonly times: CallTimes
}

function countCall(counted: CountedLog, { toolId, result, at, times }: EndedCall): void {
  const outcome = outcomeOf(result)
  const { latencyMs, queueMs, personMs } = times
  const { error, invocation_id: invocationId } = result
  const lastError = { at, invocationId, errorClass: error?.error_class }
  counted.count(at, (bucket: Bucket) => {
    const { totals } = bucket
    const tool = toolTotalsIn(bucket, toolId)
    totals.calls++
    tool.calls++
    if (outcome === 'canceled') totals.canceled++
    if (outcome === 'denied') {
      totals.denials++
      tool.denials++
    }
    if (outcome === 'error') {
      totals.errors++
      tool.errors++
      tool.lastError = lastError
    }
    if (latencyMs !== undefined) {
      addToHistogram(totals.latency, latencyMs)
      addToHistogram(tool.latency, latencyMs)
      addToHistogram(totals.queueWait, queueMs)
    }
    if (personMs !== undefined) addToHistogram(totals.personWait, personMs)
  })
}

function outcomeOf({ status, is_error: isError }: ToolResult): 'denied' | 'canceled' | 'error' | 'success' {
  switch (status) {
    case 'denied':
    case 'rejected':
      return 'denied'
    case 'canceled':
    case 'discarded':
      return 'canceled'
    default:
      return isError ? 'error' : 'success'
  }
}

interface CallTimes {
  /** Without the waits; undefined where the executor did not run. */
  latencyMs: number | undefined
  queueMs: number
  /** Undefined where the call waited for nobody. */
  personMs: number | undefined
}

/** How long an ended call was in each status, from its events. */
function timesOf(chunks: readonly LoggedChunk[]): CallTimes {
  const createdAt = chunks[0]!.baseTime
  let status: InvocationStatus = 'planned'
  let since = createdAt
  let hasRun = false
  let queueMs = 0
  let personMs: number | undefined
  for (const { events, baseTime } of chunks) {
    for (let index = 0; index < eventCount(events); index++) {
      const type = eventTypeAt(events, index)
      const next = statusOfEvent({ type, at: 0 })
      if (next === undefined || next === status) continue
      const at = eventTimeAt(events, index, baseTime)
      if (status === 'queued') queueMs += at - since
      if (status === 'awaiting_approval' || status === 'needs_input') personMs = (personMs ?? 0) + at - since
      if (next === 'running') hasRun = true
      if (type === 'tool.invocation.canceled' || type === 'tool.invocation.failed') {
        const { data } = eventAt(events, index, baseTime)
        // It was recorded as started before its executor would have run.
        if (data && 'ran' in data && data.ran === false) hasRun = false
      }
      status = next
      since = at
    }
  }
  const latencyMs = hasRun ? Math.max(0, since - createdAt - queueMs - (personMs ?? 0)) : undefined
  return { latencyMs, queueMs, personMs }
}

const MOST_SURFACES = 1000

/**
 * The most that earlier revisions of a surface saved: a surface counts once, with the most that it saved. Its first
 * revision may lack tools of servers that were still connecting.
 */
function createSavedBefore(
  store: Pick<Store, 'readStream'>,
): (chunk: LoggedChunk, now: { index: number; saved: number }) => Promise<number> {
  const known = new Map<string, number>()
  return async (chunk, { index, saved }) => {
    const { stream, firstSequence } = chunk
    let most = known.get(stream)
    if (most === undefined) {
      most = 0
      const before = firstSequence + index
      for (const each of before === 1 ? [] : await store.readStream(chunk.tenant, stream))
        for (let at = 0; at < eventCount(each.events) && each.firstSequence + at < before; at++)
          most = Math.max(most, savedAt(each, at))
    }
    if (known.size >= MOST_SURFACES) known.clear()
    known.set(stream, Math.max(most, saved))
    return most
  }
}

function savedAt({ events, baseTime }: LoggedChunk, index: number): number {
  const type = eventTypeAt(events, index)
  if (type !== 'tool.surface.created' && type !== 'tool.surface.updated') return 0
  const { surface } = eventAt(events, index, baseTime).data as { surface: ToolSurface }
  const deferral = surface.toolcrib?.['deferral'] as { saved_tokens?: unknown } | undefined
  return typeof deferral?.saved_tokens === 'number' ? Math.max(0, deferral.saved_tokens) : 0
}
