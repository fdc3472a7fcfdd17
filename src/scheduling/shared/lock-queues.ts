import { removeDocuments } from '../../storage/remove-documents.js'
import type { Store } from '../../storage/store.js'
import { updateDocuments } from '../../storage/update-documents.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import type { WatchTopic } from '../../storage/store.js'
import type { LockQueues } from './is-granted.js'
import { parseLockQueue, type LockQueue } from './lock-queue.js'

const KIND = 'lock_queue'
/** Many more than anybody loses in a row: of those who write at the same time, one succeeds each time. */
const TRIES = 1_000
/** An empty queue stays so long. See `forgetEmpty`. */
const EMPTY_KEPT_MS = 60 * 60_000

/** For whoever waits for a lock of the tenant. */
export function lockTopic(tenant: string): WatchTopic {
  return { of: 'documents', tenant, kind: KIND }
}

/** The queues of a tenant as they stand in the store: a document for each key. */
export interface StoredQueues {
  read(keys: readonly string[]): Promise<LockQueues>
  /** Replaces all of the queues by what is made of them, in one write and as often as others are faster. */
  change(keys: readonly string[], toNext: (queue: LockQueue, key: string) => LockQueue): Promise<LockQueues>
  /** Every queue of the tenant, one after the other. */
  walk(): AsyncGenerator<{ key: string; queue: LockQueue }, void, void>
  /**
   * Removes queues that have been empty for long. Not at once: a document that is made anew counts its revisions from
   * the start, and what somebody saw of the old one a moment ago would pass for the new one.
   */
  forgetEmpty(): Promise<void>
}

/** Nothing of it is synced: it says something only to processes that live. */
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
  const keyOf = (id: string) => ({ tenant, kind: KIND, id })
  return {
    async read(keys) {
      const found = await Promise.all(keys.map((key) => store.getDocument(tenant, KIND, key)))
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
      for await (const document of walkDocuments(store, { tenant, kind: KIND }))
        yield { key: document.id, queue: queueIn(document) }
    },
    forgetEmpty() {
      const at = now()
      return removeDocuments(
        store,
        { tenant, kind: KIND },
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
