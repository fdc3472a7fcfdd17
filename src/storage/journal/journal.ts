import type { EventClass } from '../../contract/unions.js'
import {
  eventCount,
  pushEvent,
  sliceEvents,
  toEventList,
  type EventDraft,
  type EventList,
} from '../event-list.js'
import type { CallRow, CallWrite, DocumentWrite, EventChunk, Store, WriteOutcome } from '../store.js'
import { MAX_CHUNK_EVENTS } from '../store.js'
import { ComputedData } from '../computed-data.js'
import { beforeExit } from '../../platform/processes/before-exit.js'

/** One call on its way into the log: its state, and the facts that the store does not have yet. */
export interface CallEntry {
  /** `revision` is the one last written. After the end of the call it may belong to a write. */
  row: CallRow
  /** Not written yet. */
  events: EventList
  /** How many were written before them. */
  handedOver: number
  queued: boolean
  /** Another owner wrote it meanwhile: further facts of this owner are ignored. */
  isLost: boolean
}

export interface StreamEntry {
  readonly tenant: string
  readonly stream: string
  sequence: number
}

export interface Journal {
  readonly store: Store
  /** Records a fact of a call; it reaches the store with the next group. */
  record(entry: CallEntry, type: EventClass, at: number, data: object | undefined): void
  /** Records a document with the facts that are recorded around it: it reaches the store in their group. */
  accompany(document: DocumentWrite): void
  /** Records facts of a stream that is not a call, and the documents that follow from them: both or neither. */
  append(entry: StreamEntry, drafts: readonly EventDraft[], documents?: readonly DocumentWrite[]): void
  /** Writes a document; `false` when its expected revision had moved on. */
  put(document: DocumentWrite): Promise<boolean>
  /** Writes what was recorded. Other processes see it then. */
  flush(): Promise<void>
  /**
   * Resolves when everything that was recorded before is on disk. Calls that ask in the same turn, or while the disk is
   * busy, are written as one group.
   */
  durable(): Promise<void>
  /** Why the last write failed; its content is kept and tried again. */
  failure(): Error | undefined
  /** How many writes have failed. */
  failureCount(): number
  close(): Promise<void>
}

/** The longest time that a fact waits before it is written. */
const FLUSH_AFTER_MS = 20
/** And how long to wait before a store that failed is tried again by the timer. */
const RETRY_AFTER_MS = 250
const CALLS_PER_GROUP = 256
/** Nothing is saved by large groups of a store in memory, and what waits outlives its call. */
const EPHEMERAL_CALLS_PER_GROUP = 16
const EVENTS_PER_GROUP = 4096

export interface JournalParts {
  store: Store
  /** Masks secrets in facts of streams that are no calls. Facts of calls are masked already. */
  clean?(data: object): object
}

export function createJournal({ store, clean = (data) => data }: JournalParts): Journal {
  let pending: Pending = { calls: [], chunks: [], documents: [] }
  let pendingEvents = 0
  /** Groups to write, first to last. A group that failed stays first and is written again unchanged. */
  const backlog: Group[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let next: Promise<void> | undefined
  let failure: Error | undefined
  let failures = 0
  let isClosed = false
  const callsPerGroup = store.isEphemeral ? EPHEMERAL_CALLS_PER_GROUP : CALLS_PER_GROUP
  const stopWaitingForExit = beforeExit(() => {
    takePending()
    for (const group of backlog) store.writeNow?.(group)
  })

  function arm(): void {
    if (timer) return
    timer = setTimeout(
      () => {
        timer = undefined
        // The next caller gets the failure; the facts stay in the backlog.
        flush().catch(() => {})
      },
      failure ? RETRY_AFTER_MS : FLUSH_AFTER_MS,
    )
    // A store that stays broken must not keep a process alive that has nothing else to do.
    if (failure) timer.unref()
  }

  function record(entry: CallEntry, type: EventClass, at: number, data: object | undefined): void {
    // After the close there is nothing to write to, and retries would never end.
    if (isClosed || entry.isLost) return
    const since = at - entry.row.createdAt
    // A list that starts with its first event grows once for most calls; an empty one grows twice.
    if (entry.events.length === 0) entry.events = [type, since, data]
    else pushEvent(entry.events, type, since, data)
    if (!entry.queued) {
      // Without this call, which has only begun: its facts would be written in two parts.
      if (pending.calls.length >= callsPerGroup) flushSoon()
      // In a group, calls come first: facts recorded before this one, such as its surface, go into an earlier group.
      if (pending.chunks.length > 0) sealPending()
      entry.queued = true
      pending.calls.push(entry)
      arm()
    }
    pendingEvents++
    if (pendingEvents >= EVENTS_PER_GROUP) flushSoon()
  }

  // While a write is running, or after one failed, the timer tries again: a full group must not become a busy loop.
  function flushSoon(): void {
    if (writing || failure) arm()
    else flush().catch(() => {})
  }

  function flush(): Promise<void> {
    if (!writing) return writeBacklog()
    // Facts that are pending now are not part of the running write, but of the next one, which all waiters share.
    next ??= writing
      .catch(() => {})
      .then(() => {
        next = undefined
        // Another waiter may have started a write since the last one ended: there is one writer at a time.
        return writing ? flush() : writeBacklog()
      })
    return next
  }

  function takePending(): void {
    if (pendingEvents === 0 && pending.documents.length === 0) return
    const { calls: entries, chunks, documents } = pending
    const calls = handOverAll(entries)
    const group = backlog.at(-1)
    // A group that was tried stays unchanged, for it may have been written; later facts are joined into one group.
    if (group === undefined || group.isTried || group.isSealed)
      backlog.push({ calls, chunks, documents, entries, isTried: false, isSealed: false })
    else {
      group.entries.push(...entries)
      group.calls.push(...calls)
      group.chunks.push(...chunks)
      group.documents.push(...documents)
    }
    pending = { calls: [], chunks: [], documents: [] }
    pendingEvents = 0
  }

  function sealPending(): void {
    takePending()
    const group = backlog.at(-1)
    if (group) group.isSealed = true
  }

  function writeBacklog(): Promise<void> {
    takePending()
    try {
      while (backlog.length > 0) {
        const outcome = writeFirst()
        if (outcome instanceof Promise) return (writing = goOnWriting(outcome))
        taken(outcome)
      }
      return DONE
    } catch (error) {
      return Promise.reject(fail(error))
    }
  }

  function writeFirst(): WriteOutcome | Promise<WriteOutcome> {
    const group = backlog[0]!
    group.isTried = true
    return store.write(group)
  }

  async function goOnWriting(first: Promise<WriteOutcome>): Promise<void> {
    try {
      taken(await first)
      while (backlog.length > 0) taken(await writeFirst())
    } catch (error) {
      throw fail(error)
    } finally {
      writing = undefined
    }
  }

  function taken({ conflictingCalls }: WriteOutcome): void {
    failure = undefined
    const { entries } = backlog.shift()!
    if (conflictingCalls.length === 0) return
    const lost = new Set(conflictingCalls)
    for (const entry of entries) if (lost.has(entry.row.invocationId)) entry.isLost = true
    // Pending facts of a call that another process took over are dropped: they must not follow its new owner's.
    for (const group of backlog) group.calls = group.calls.filter(({ row }) => !lost.has(row.invocationId))
  }

  function fail(error: unknown): Error {
    failure = error instanceof Error ? error : new Error(String(error))
    failures++
    clearTimeout(timer)
    timer = undefined
    if (!isClosed) arm()
    return failure
  }

  /** A sync that has not begun: everyone who asks until then shares it, and its group. */
  let nextSync: Promise<void> | undefined
  let sync: Promise<void> | undefined

  function durable(): Promise<void> {
    // Nothing is gained by waiting for others where a write costs nothing.
    if (store.isEphemeral) return flush().then(() => store.sync())
    // The end of the turn, also after a sync: what the turn still brings shares the group and its sync.
    return (nextSync ??= (sync ? sync.then(endOfTurn, endOfTurn) : endOfTurn()).then(() => {
      nextSync = undefined
      return (sync = writeAndSync())
    }))
  }

  async function writeAndSync(): Promise<void> {
    try {
      await flush()
      await store.sync()
    } finally {
      sync = undefined
    }
  }

  function cleaned(draft: EventDraft): EventDraft {
    const { data } = draft
    if (data === undefined) return draft
    if (!(data instanceof ComputedData)) return { ...draft, data: clean(data) }
    const whole = data.whole()
    const cleanWhole = clean(whole)
    return cleanWhole === whole ? draft : { ...draft, data: cleanWhole }
  }

  return {
    store,
    record,
    accompany(document) {
      if (isClosed) return
      pending.documents.push(document)
      arm()
    },
    append(entry, drafts, documents = []) {
      if (isClosed) return
      pending.documents.push(...documents)
      for (let from = 0; from < drafts.length; from += MAX_CHUNK_EVENTS) {
        const some = drafts.slice(from, from + MAX_CHUNK_EVENTS).map(cleaned)
        const { tenant, stream } = entry
        const baseTime = some[0]!.at
        const events = toEventList(some, baseTime)
        pending.chunks.push({ tenant, stream, firstSequence: entry.sequence + 1, baseTime, events })
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
    durable,
    failure: () => failure,
    failureCount: () => failures,
    async close() {
      try {
        await flush()
      } finally {
        isClosed = true
        clearTimeout(timer)
        stopWaitingForExit()
        await store.close()
      }
    },
  }
}

const DONE = Promise.resolve()

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

interface Pending {
  calls: CallEntry[]
  chunks: EventChunk[]
  documents: DocumentWrite[]
}

/** What is written together, and the entries that its calls came from. */
interface Group {
  calls: CallWrite[]
  chunks: EventChunk[]
  documents: DocumentWrite[]
  entries: CallEntry[]
  isTried: boolean
  /** Nothing is added to it any more. */
  isSealed: boolean
}

/** Most calls are one write. A call with more events than a chunk can contain is several, all in one group. */
function handOverAll(entries: readonly CallEntry[]): CallWrite[] {
  const writes: CallWrite[] = []
  for (const entry of entries) {
    do writes.push(handOver(entry))
    while (entry.events.length > 0)
    entry.queued = false
  }
  return writes
}

/** Of calls whose events were all written: the next one starts a list. */
const NO_EVENTS: EventList = []
Object.freeze(NO_EVENTS)

/** The events belong to the write from here on; later events of the call start a new list. */
function handOver(entry: CallEntry): CallWrite {
  const { events, handedOver } = entry
  const isShort = eventCount(events) <= MAX_CHUNK_EVENTS
  const handed = isShort ? events : sliceEvents(events, 0, MAX_CHUNK_EVENTS)
  entry.events = isShort ? NO_EVENTS : sliceEvents(events, MAX_CHUNK_EVENTS, Number.POSITIVE_INFINITY)
  entry.handedOver += eventCount(handed)
  return { row: handOverRow(entry), firstSequence: handedOver + 1, events: handed }
}

/** The row of a call that has ended belongs to the write, too. A call that goes on keeps its own. */
function handOverRow(entry: CallEntry): CallRow {
  const { row } = entry
  const hasEnded = row.owner === undefined
  // An earlier write may have it already: something was recorded after the end.
  if (hasEnded && row.revision > 0) entry.row = { ...row }
  entry.row.revision++
  return hasEnded ? entry.row : { ...row }
}
