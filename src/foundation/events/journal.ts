import type { CallRow, CallWrite, DocumentWrite, EventChunk, EventDraft, Store } from '../stores/store.js'
import { MAX_CHUNK_EVENTS } from '../stores/store.js'
import { beforeExit } from './before-exit.js'

/** One call on its way into the log. Its row says where it stands; its drafts are what happened. */
export interface CallEntry {
  /** `revision` is the one last written. */
  readonly row: CallRow
  /** Since the call began, less the `dropped` first ones, which are written. */
  drafts: EventDraft[]
  dropped: number
  /** How many of all its events are written. */
  written: number
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
  record(entry: CallEntry, draft: EventDraft): void
  /** Keeps facts of a stream that is not a call. */
  append(entry: StreamEntry, drafts: readonly EventDraft[], about?: { toolId?: string }): void
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
const DRAFTS_PER_GROUP = 4096

interface PendingGroup {
  calls: CallEntry[]
  chunks: EventChunk[]
}

export function createJournal({ store, onConflict }: JournalOptions): Journal {
  let pending: PendingGroup = { calls: [], chunks: [] }
  let pendingDrafts = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let failure: Error | undefined
  const stopWaitingForExit = beforeExit(() => {
    if (pendingDrafts > 0) store.writeNow?.({ calls: pending.calls.map(toWrite), chunks: pending.chunks })
  })

  function arm(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      // A failure is kept for whoever asks next; the facts stay pending.
      flush().catch(() => {})
    }, FLUSH_AFTER_MS)
  }

  function record(entry: CallEntry, draft: EventDraft): void {
    entry.drafts.push(draft)
    pendingDrafts++
    if (!entry.queued) {
      entry.queued = true
      pending.calls.push(entry)
    }
    if (pending.calls.length >= CALLS_PER_GROUP || pendingDrafts >= DRAFTS_PER_GROUP) flushSoon()
    else arm()
  }

  // While a write is under way, or after one failed, the timer tries again: a full group must not become a busy loop.
  function flushSoon(): void {
    if (writing || failure) arm()
    else flush().catch(() => {})
  }

  function flush(): Promise<void> {
    if (writing) return writing.catch(() => {}).then(flush)
    if (pendingDrafts === 0) return Promise.resolve()
    const group = pending
    const writes = group.calls.map(toWrite)
    pending = { calls: [], chunks: [] }
    pendingDrafts = 0
    for (const entry of group.calls) entry.queued = false
    try {
      const outcome = store.write({ calls: writes, chunks: group.chunks })
      if (!(outcome instanceof Promise)) {
        written(group, writes, outcome.conflictingCalls)
        return pendingDrafts > 0 ? flush() : Promise.resolve()
      }
      writing = outcome.then(
        ({ conflictingCalls }) => {
          writing = undefined
          written(group, writes, conflictingCalls)
        },
        (error) => {
          writing = undefined
          throw takeBack(group, error)
        },
      )
      return writing
    } catch (error) {
      return Promise.reject(takeBack(group, error))
    }
  }

  function written(group: PendingGroup, writes: readonly CallWrite[], conflicts: readonly string[]): void {
    failure = undefined
    writes.forEach((write, index) => {
      const entry = group.calls[index]!
      if (conflicts.length > 0 && conflicts.includes(entry.row.invocationId)) {
        onConflict?.(entry.row.invocationId)
        return
      }
      entry.row.revision = write.row.revision
      entry.written += write.chunk.events.length
      if (unwritten(entry) > 0) requeue(entry)
    })
  }

  function takeBack(group: PendingGroup, error: unknown): Error {
    failure = error instanceof Error ? error : new Error(String(error))
    for (const entry of group.calls) requeue(entry)
    pending.chunks.unshift(...group.chunks)
    for (const chunk of group.chunks) pendingDrafts += chunk.events.length
    return failure
  }

  function requeue(entry: CallEntry): void {
    pendingDrafts += unwritten(entry)
    if (entry.queued) return
    entry.queued = true
    pending.calls.push(entry)
    arm()
  }

  return {
    store,
    record,
    append(entry, drafts, about) {
      for (let from = 0; from < drafts.length; from += MAX_CHUNK_EVENTS) {
        const events = drafts.slice(from, from + MAX_CHUNK_EVENTS)
        const { tenant, stream } = entry
        pending.chunks.push({
          tenant,
          stream,
          firstSequence: entry.sequence + 1,
          toolId: about?.toolId,
          events,
        })
        entry.sequence += events.length
        pendingDrafts += events.length
      }
      if (pendingDrafts >= DRAFTS_PER_GROUP) flushSoon()
      else arm()
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
      clearTimeout(timer)
      timer = undefined
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

function unwritten(entry: CallEntry): number {
  return entry.dropped + entry.drafts.length - entry.written
}

function toWrite(entry: CallEntry): CallWrite {
  const { row } = entry
  const from = entry.written - entry.dropped
  return {
    row: { ...row, revision: row.revision + 1 },
    chunk: {
      tenant: row.tenant,
      stream: row.invocationId,
      firstSequence: entry.written + 1,
      invocationId: row.invocationId,
      toolId: row.toolId,
      events:
        from === 0 && entry.drafts.length <= MAX_CHUNK_EVENTS && row.owner === undefined
          ? entry.drafts
          : entry.drafts.slice(from, from + MAX_CHUNK_EVENTS),
    },
  }
}
