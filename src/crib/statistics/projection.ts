import { createTurns } from '../../platform/async/create-turns.js'
import { nextTurn } from '../../platform/async/next-turn.js'
import { lastPositionOf } from '../../storage/chunk-positions.js'
import type { Store, StoredDocument } from '../../storage/store.js'
import { updateDocument } from '../../storage/update-document.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import { createCountChunk } from './count-chunk.js'
import { createCountedLog, type CountedLog, type StoredSpan } from './counted-log.js'

/** The numbers of one tenant, from its log. Nothing is read before the first question. */
export interface Projection {
  readonly counted: Pick<CountedLog, 'position' | 'buckets'>
  /** Counts up to the position, in the background too; resolves when it is reached or the time is over. */
  reach(position: number, waitMs: number): Promise<void>
  /** Stops counting, and stores what was counted. */
  stop(): Promise<void>
}

/** The documents: the position under `position`, and the spans under the ids of `CountedLog`. */
export const STATISTICS_KIND = 'statistics'
const POSITION = 'position'

interface StoredPosition {
  readonly position: number
}

/** How long one read and its counting may take. The number of chunks of the next read follows from it. */
const SLICE_MS = 6
const MOST_CHUNKS = 500
/** How long after a write of the log it is read: together with the writes that follow. */
const FOLLOW_AFTER_MS = 1000
/** The log is followed for this long after the last question. */
const FOLLOW_FOR_MS = 5 * 60_000
const STORE_EVERY_MS = 30_000
/** So many documents are stored earlier, while old calls are counted. */
const MOST_CHANGES = 24

export function createProjection(
  store: Store,
  { tenant, now }: { tenant: string; now: () => number },
): Projection {
  const counted = createCountedLog(now)
  const countChunk = createCountChunk(counted, store)
  const waiters = new Set<{ position: number; resolve: () => void }>()
  let isLoaded = false
  let isStopped = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let stopWatching: (() => void) | undefined
  let askedAt = 0
  let storedAt = performance.now()
  let keeping: Promise<void> = Promise.resolve()

  function catchUp(): Promise<void> {
    return (running ??= read().finally(() => (running = undefined)))
  }

  async function read(): Promise<void> {
    if (!isLoaded) await load()
    let limit = 16
    while (!isStopped) {
      const last = await store.lastPosition()
      const since = performance.now()
      const chunks = await store.readLog({ tenant, after: counted.position, limit })
      for (const chunk of chunks) {
        await countChunk(chunk)
        counted.position = lastPositionOf(chunk)
      }
      // An empty read: no event of this tenant was visible up to the last position.
      if (chunks.length === 0) counted.position = Math.max(counted.position, last)
      const share = SLICE_MS / (performance.now() - since)
      limit = Math.max(1, Math.min(MOST_CHUNKS, Math.floor(limit * Math.min(2, share))))
      wakeWaiters()
      if (chunks.length === 0) return keepIfDue()
      if (counted.changedCount > MOST_CHANGES) await keep()
      await nextTurn()
    }
  }

  function wakeWaiters(): void {
    for (const waiter of waiters) {
      if (waiter.position > counted.position) continue
      waiters.delete(waiter)
      waiter.resolve()
    }
  }

  async function load(): Promise<void> {
    const turns = createTurns()
    for (;;) {
      const position = await readPosition()
      const spans: StoredDocument[] = []
      for await (const document of walkDocuments(store, { tenant, kind: STATISTICS_KIND })) {
        if (document.id !== POSITION) spans.push(document)
        await turns.due()
      }
      // Another process may have stored more meanwhile: then the spans do not fit the position.
      if ((await readPosition())?.revision !== position?.revision) continue
      for (const { id, value } of spans) {
        counted.load(id, value as StoredSpan)
        await turns.due()
      }
      counted.position = (position?.value as StoredPosition | undefined)?.position ?? 0
      isLoaded = true
      return
    }
  }

  function readPosition(): Promise<StoredDocument | undefined> {
    return store.getDocument(tenant, STATISTICS_KIND, POSITION)
  }

  async function keepIfDue(): Promise<void> {
    if (performance.now() - storedAt >= STORE_EVERY_MS) await keep()
  }

  function keep(): Promise<void> {
    return (keeping = keeping.then(keepNow))
  }

  /**
   * Stored spans always fit the stored position, for both are written together, and the position only grows. What
   * another process has counted further stays: the changes here are then stored when this one is ahead again, and they
   * include all of the changes since.
   */
  async function keepNow(): Promise<void> {
    storedAt = performance.now()
    if (store.isEphemeral) return
    counted.forget()
    const { position } = counted
    const changes = counted.takeChanges()
    if (changes.size === 0) return
    // A store that cannot be written now is written later; the numbers are in memory.
    const isStored = await updateDocument(
      store,
      { tenant, kind: STATISTICS_KIND, id: POSITION },
      (found) => {
        if (found && (found.value as StoredPosition).position >= position) return { result: false }
        const updatedAt = now()
        const also = [...changes].map(([id, value]) => ({
          tenant,
          kind: STATISTICS_KIND,
          id,
          updatedAt,
          value,
        }))
        return { result: true, value: { position } satisfies StoredPosition, also }
      },
      { tries: 3, crowded: () => false },
    ).catch(() => false)
    if (!isStored) counted.giveBack(changes.keys())
  }

  function follow(): void {
    stopWatching ??= store.watch([{ of: 'log' }], onWritten, { unref: true })
  }

  function onWritten(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      // The next question reports a failure of the store.
      if (performance.now() - askedAt < FOLLOW_FOR_MS) return void catchUp().catch(() => {})
      unfollow()
      void keep()
    }, FOLLOW_AFTER_MS).unref()
  }

  function unfollow(): void {
    clearTimeout(timer)
    timer = undefined
    stopWatching?.()
    stopWatching = undefined
  }

  return {
    counted,
    async reach(position, waitMs) {
      askedAt = performance.now()
      follow()
      if (isLoaded && counted.position >= position) return
      const patience = new AbortController()
      const reached = new Promise<void>((resolve) => waiters.add({ position, resolve }))
      await Promise.race([catchUp(), reached, pause(waitMs, patience.signal)])
      patience.abort()
    },
    async stop() {
      isStopped = true
      unfollow()
      await running?.catch(() => {})
      if (isLoaded) await keep()
    },
  }
}

/** Keeps the process alive: a caller waits. */
function pause(ms: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    over.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
}
