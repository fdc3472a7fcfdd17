import { removeDocuments } from '../../storage/remove-documents.js'
import { SYSTEM_TENANT, type Store, type StoredDocument } from '../../storage/store.js'
import { updateDocuments } from '../../storage/update-documents.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import type { LimitedCall } from '../rate-limits.js'
import { isUnused, type Count, type Counters } from './counters.js'
import { toCount } from './local-counters.js'
import { counted, findShortage, type Need, type Shortage } from './need.js'
import type { WaitQueue } from './wait-queue.js'

const KIND = 'limit'
/** Each lost attempt means that another writer succeeded. After this many in a row, a short wait is better. */
const TRIES = 50
const CROWDED_MS = 10
const SWEEP_MS = 60 * 60_000

/** Counts in the store, for all processes that share it: each count is a document, changed by compare-and-set. */
export function createStoreCounters(store: Store, waitQueue: WaitQueue, now: () => number): Counters {
  let sweptAt = now()
  /** One at a time in this process: concurrent attempts would only conflict with each other. */
  let turn: Promise<unknown> = Promise.resolve()

  /** Counts all of the needs, or none. */
  function attempt(needs: readonly Need[], call: LimitedCall): Promise<Shortage | undefined> {
    return updateDocuments<Shortage | undefined>(
      store,
      needs.map(({ key }) => ({ tenant: SYSTEM_TENANT, kind: KIND, id: key })),
      (found) => {
        const at = now()
        const kept = found.map((document) => (document?.value as Count | undefined)?.kept)
        const short = findShortage(needs, {
          kept: (_, index) => kept[index],
          now: at,
          before: waitQueue.before(call),
        })
        if (short) return { result: short }
        const values = new Map(
          needs.map((need, index) => [index, toCount(need, counted(need, kept[index], at), at)] as const),
        )
        return { values, result: undefined }
      },
      {
        now,
        tries: TRIES,
        crowded: () => ({ need: needs[0]!, needs: [], waitMs: CROWDED_MS, maxWaitMs: Infinity }),
      },
    )
  }

  async function sweep(): Promise<void> {
    const at = now()
    if (at - sweptAt < SWEEP_MS) return
    sweptAt = at
    await forgetUnusedCounts(store, at)
  }

  return {
    take(needs, call) {
      const taken = turn.then(() => attempt(needs, call))
      // A failed sweep is repeated an hour later.
      turn = taken.then(sweep).catch(() => {})
      return taken
    },
    async list() {
      const counts: Count[] = []
      for await (const { value } of walkDocuments(store, { tenant: SYSTEM_TENANT, kind: KIND }))
        counts.push(value as Count)
      return counts
    },
  }
}

/** Removes counts that have not been used for long: there is one for each caller and run. */
export async function forgetUnusedCounts(store: Store, now: number): Promise<void> {
  const isOver = ({ value }: StoredDocument): boolean => isUnused(value as Count, now)
  await removeDocuments(store, { tenant: SYSTEM_TENANT, kind: KIND }, { isOver, now })
}
