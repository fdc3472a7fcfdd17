import type { EventClass } from '../contract/unions.js'
import {
  eventCount,
  pushEvent,
  sliceEvents,
  toEventList,
  type EventDraft,
  type EventList,
} from '../stores/event-list.js'
import type { CallRow, CallWrite, DocumentWrite, EventChunk, Store } from '../stores/store.js'
import { MAX_CHUNK_EVENTS } from '../stores/store.js'
import { beforeExit } from './before-exit.js'

/** One call on its way into the log: where it stands, and what the store does not know of it yet. */
export interface CallEntry {
  /** `revision` is the one last written. */
  readonly row: CallRow
  /** Not handed over yet. */
  events: EventList
  /** How many were handed over before them. */
  handedOver: number
  queued: boolean
}

export interface StreamEntry {
  readonly tenant: string
  readonly stream: string
  sequence: number
}

export interface Journal {
  readonly store: Store
  /** Keeps a fact of a call; it reaches the store with the next group. */
  record(entry: CallEntry, type: EventClass, at: number, data: object | undefined): void
  /** Keeps facts of a stream that is not a call. */
  append(entry: StreamEntry, drafts: readonly EventDraft[]): void
  /** Keeps a document; `false` when its expected revision had moved on. */
  put(document: DocumentWrite): Promise<boolean>
  /** Hands over what was kept. Other processes see it then. */
  flush(): Promise<void>
  /** Resolves when all that was kept before is on disk. */
  durable(): Promise<void>
  /** Why the last hand-over failed; what it held is still kept and tried again. */
  failure(): Error | undefined
  close(): Promise<void>
}

export interface JournalOptions {
  store: Store
  /** A call that another owner wrote meanwhile: it is theirs now. */
  onConflict?: (invocationId: string) => void
}

/** Longest wait of a fact before it is handed over. */
const FLUSH_AFTER_MS = 5
const CALLS_PER_GROUP = 256
const EVENTS_PER_GROUP = 4096

export function createJournal({ store, onConflict }: JournalOptions): Journal {
  let calls: CallEntry[] = []
  let chunks: EventChunk[] = []
  let pendingEvents = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let failure: Error | undefined
  const stopWaitingForExit = beforeExit(() => {
    if (pendingEvents > 0) store.writeNow?.({ calls: calls.map(toWrite), chunks })
  })

  function arm(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      // A failure is kept for whoever asks next; the facts stay pending.
      flush().catch(() => {})
    }, FLUSH_AFTER_MS)
  }

  function record(entry: CallEntry, type: EventClass, at: number, data: object | undefined): void {
    pushEvent(entry.events, type, at - entry.row.createdAt, data)
    pendingEvents++
    if (!entry.queued) {
      entry.queued = true
      calls.push(entry)
      arm()
    }
    if (calls.length >= CALLS_PER_GROUP || pendingEvents >= EVENTS_PER_GROUP) flushSoon()
  }

  // While a write is under way, or after one failed, the timer tries again: a full group must not become a busy loop.
  function flushSoon(): void {
    if (writing || failure) arm()
    else flush().catch(() => {})
  }

  function flush(): Promise<void> {
    if (writing) return writing.catch(() => {}).then(flush)
    if (pendingEvents === 0) return DONE
    const group = { entries: calls, writes: calls.map(handOver), chunks }
    calls = []
    chunks = []
    pendingEvents = 0
    // A call with more events than one chunk holds goes on in the next group.
    for (const entry of group.entries) if (entry.events.length > 0) requeue(entry)
    try {
      const outcome = store.write({ calls: group.writes, chunks: group.chunks })
      if (!(outcome instanceof Promise)) {
        taken(outcome.conflictingCalls)
        return pendingEvents > 0 ? flush() : DONE
      }
      writing = outcome
        .then(({ conflictingCalls }) => taken(conflictingCalls))
        .catch((error) => {
          throw takeBack(group, error)
        })
        .finally(() => (writing = undefined))
      return writing
    } catch (error) {
      return Promise.reject(takeBack(group, error))
    }
  }

  function taken(conflicts: readonly string[]): void {
    failure = undefined
    if (conflicts.length > 0) for (const id of conflicts) onConflict?.(id)
  }

  function takeBack(group: Group, error: unknown): Error {
    failure = error instanceof Error ? error : new Error(String(error))
    group.entries.forEach((entry, index) => {
      const { events } = group.writes[index]!
      entry.events = [...events, ...entry.events]
      entry.handedOver -= eventCount(events)
      entry.row.revision--
      if (entry.queued) pendingEvents += eventCount(events)
      else requeue(entry)
    })
    chunks.unshift(...group.chunks)
    for (const { events } of group.chunks) pendingEvents += eventCount(events)
    return failure
  }

  function requeue(entry: CallEntry): void {
    pendingEvents += eventCount(entry.events)
    entry.queued = true
    calls.push(entry)
    arm()
  }

  return {
    store,
    record,
    append(entry, drafts) {
      for (let from = 0; from < drafts.length; from += MAX_CHUNK_EVENTS) {
        const some = drafts.slice(from, from + MAX_CHUNK_EVENTS)
        const { tenant, stream } = entry
        const baseTime = some[0]!.at
        const events = toEventList(some, baseTime)
        chunks.push({ tenant, stream, firstSequence: entry.sequence + 1, baseTime, events })
        entry.sequence += some.length
        pendingEvents += some.length
      }
      if (pendingEvents >= EVENTS_PER_GROUP) flushSoon()
      else if (pendingEvents > 0) arm()
    },
    async put(document) {
      const outcome = await store.write({ documents: [document] })
      return outcome.conflictingDocuments.length === 0
    },
    flush,
    async durable() {
      await flush()
      await store.sync()
    },
    failure: () => failure,
    async close() {
      try {
        await flush()
      } finally {
        clearTimeout(timer)
        stopWaitingForExit()
        await store.close()
      }
    },
  }
}

const DONE = Promise.resolve()

interface Group {
  entries: CallEntry[]
  writes: CallWrite[]
  chunks: EventChunk[]
}

function toWrite({ row, events, handedOver }: CallEntry): CallWrite {
  const isShort = eventCount(events) <= MAX_CHUNK_EVENTS
  return {
    row: { ...row, revision: row.revision + 1 },
    firstSequence: handedOver + 1,
    events: isShort ? events : sliceEvents(events, 0, MAX_CHUNK_EVENTS),
  }
}

/** The events belong to the write from here on; what the call says next starts a new list. */
function handOver(entry: CallEntry): CallWrite {
  const write = toWrite(entry)
  const count = eventCount(write.events)
  entry.events =
    write.events === entry.events ? [] : sliceEvents(entry.events, count, Number.POSITIVE_INFINITY)
  entry.handedOver += count
  entry.row.revision++
  entry.queued = false
  return write
}
