import { removeDocuments } from '../../storage/remove-documents.js'
import type { Store } from '../../storage/store.js'
import { updateDocuments } from '../../storage/update-documents.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import type { WatchTopic } from '../../storage/store.js'
import type { LockQueues } from './is-granted.js'
import { parseLockQueue, type LockQueue } from './lock-queue.js'

export const LOCK_QUEUE_KIND = 'lock_queue'
/** Far above any real number of conflicts: of concurrent writers, one succeeds each time. */
const TRIES = 1_000
/** How long an empty queue is stored. See `forgetEmpty`. */
const EMPTY_KEPT_MS = 60 * 60_000

/** Watched by processes that wait for a lock of the tenant. */
export function lockTopic(tenant: string): WatchTopic {
  return { of: 'documents', tenant, kind: LOCK_QUEUE_KIND }
}

/** The stored queues of a tenant: a document for each key. */
export interface StoredQueues {
  read(keys: readonly string[]): Promise<LockQueues>
  /** Replaces the queues in one write, and repeats that as long as other writers are faster. */
  change(keys: readonly string[], toNext: (queue: LockQueue, key: string) => LockQueue): Promise<LockQueues>
  /** Every queue of the tenant, one after the other. */
  walk(): AsyncGenerator<{ key: string; queue: LockQueue }, void, void>
  /**
   * Removes queues that have been empty for long. Not immediately: a new document starts again at the first revision,
   * so a revision read from the old document would match the new one.
   */
  forgetEmpty(): Promise<void>
}

/** The writes are not synced to disk: locks matter only to living processes. */
export function createStoredQueues({
  store,
  tenant,
  random,
  now,
}: {
  store: Store
  tenant: string
  random(): number
  now(): number
}): StoredQueues {
  const keyOf = (id: string) => ({ tenant, kind: LOCK_QUEUE_KIND, id })
  return {
    async read(keys) {
      const found = await Promise.all(keys.map((key) => store.getDocument(tenant, LOCK_QUEUE_KIND, key)))
      return new Map(keys.map((key, index) => [key, queueIn(found[index])]))
    },
    change: (keys, toNext) =>
      updateDocuments<LockQueues>(
        store,
        keys.map(keyOf),
        (found) => {
          const result = new Map<string, LockQueue>()
          const values = new Map<number, LockQueue>()
          keys.forEach((key, index) => {
            const queue = queueIn(found[index])
            const next = toNext(queue, key)
            result.set(key, next)
            if (next !== queue) values.set(index, next)
          })
          return { values, result }
        },
        { now, random, tries: TRIES },
      ),
    async *walk() {
      for await (const document of walkDocuments(store, { tenant, kind: LOCK_QUEUE_KIND }))
        yield { key: document.id, queue: queueIn(document) }
    },
    forgetEmpty() {
      const at = now()
      return removeDocuments(
        store,
        { tenant, kind: LOCK_QUEUE_KIND },
        {
          isOver: (document) => queueIn(document).length === 0 && document.updatedAt + EMPTY_KEPT_MS < at,
          now: at,
        },
      )
    },
  }
}

function queueIn(document: { value: unknown } | undefined): LockQueue {
  return document ? parseLockQueue(document.value) : []
}
