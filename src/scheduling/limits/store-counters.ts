import { removeDocuments } from '../../storage/remove-documents.js'
import { SYSTEM_TENANT, type DocumentWrite, type Store, type StoredDocument } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import type { AskingCall } from '../rate-limits.js'
import { isUnused, type Count, type Counters } from './counters.js'
import { toCount } from './local-counters.js'
import { counted, weigh, type Need, type Short } from './need.js'
import type { WaitingLine } from './waiting-line.js'

const KIND = 'limit'
/** Each try that is lost is another's success. After so many in a row, coming back in a moment is better. */
const TRIES = 50
const CROWDED_MS = 10
const SWEEP_MS = 60 * 60_000

/** A need that is counted already, and what it takes to give that back. */
interface Held {
  readonly need: Need
  readonly was: number | undefined
  readonly revision: number
}

/** Counts in the store, for all processes that share it: each count is a document, changed by comparing. */
export function createStoreCounters(store: Store, line: WaitingLine, now: () => number): Counters {
  let sweptAt = now()
  /** One at a time in this process: calls that start together would only get in each other's way. */
  let turn: Promise<unknown> = Promise.resolve()

  async function attempt(needs: readonly Need[], call: AskingCall): Promise<Short | undefined> {
    const held: Held[] = []
    let left = needs
    for (let tries = 0; tries < TRIES; tries++) {
      const found = await Promise.all(left.map(({ key }) => store.getDocument(SYSTEM_TENANT, KIND, key)))
      const at = now()
      const kept = found.map((document) => (document?.value as Count | undefined)?.kept)
      const short = weigh(left, { kept: (_, index) => kept[index], now: at, before: line.before(call) })
      if (short) {
        await giveBack(held)
        return short
      }
      const writes = left.map((need, index) =>
        toWrite(need, { kept: counted(need, kept[index], at), at, revision: found[index]?.revision ?? 0 }),
      )
      const { conflictingDocuments: lost } = await store.write({ documents: writes })
      left.forEach((need, index) => {
        if (lost.includes(index)) return
        held.push({ need, was: kept[index], revision: writes[index]!.expectedRevision! + 1 })
      })
      if (lost.length === 0) return undefined
      left = lost.map((index) => left[index]!)
    }
    await giveBack(held)
    return { need: left[0]!, needs: [], waitMs: CROWDED_MS, maxWaitMs: Infinity }
  }

  /** Only while nobody else has counted since: what cannot be told apart any more stays counted. */
  async function giveBack(held: readonly Held[]): Promise<void> {
    if (held.length === 0) return
    const at = now()
    const documents = held.map(({ need, was = 0, revision }) => toWrite(need, { kept: was, at, revision }))
    await store.write({ documents })
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
      // What cannot be swept now is swept an hour later.
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

function toWrite(
  need: Need,
  { kept, at, revision }: { kept: number; at: number; revision: number },
): DocumentWrite {
  return {
    tenant: SYSTEM_TENANT,
    kind: KIND,
    id: need.key,
    updatedAt: at,
    value: toCount(need, kept, at),
    expectedRevision: revision,
  }
}

/** Counts that nobody has used for long: for each caller and run there is one. */
export async function forgetUnusedCounts(store: Store, now: number): Promise<void> {
  const isOver = ({ value }: StoredDocument): boolean => isUnused(value as Count, now)
  await removeDocuments(store, { tenant: SYSTEM_TENANT, kind: KIND }, { isOver, now })
}
