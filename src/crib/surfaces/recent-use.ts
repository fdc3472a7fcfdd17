import type { CallRow, Store } from '../../storage/store.js'

/** How much a caller recently used a tool, from 0 to 1. */
export type RecentUse = (toolId: string) => number

export interface RecentUser {
  tenant: string
  actor: string | undefined
}

const NEWEST_CALLS = 200
const KEPT_MS = 10_000
/** After this time a call counts half. */
const HALF_LIFE_MS = 24 * 60 * 60 * 1000
/** This many calls right now give the score one half. */
const HALF_KNOWN = 3

/** What the caller recently used. Read from the store and cached for some seconds, because searches come in bursts. */
export function createRecentUse(store: Pick<Store, 'listCalls'>, now: () => number) {
  let read: { at: number; recentUse: Promise<RecentUse> } | undefined

  return function recentUseOf(caller: RecentUser): Promise<RecentUse> {
    const at = now()
    if (!read || at - read.at >= KEPT_MS || at < read.at)
      read = { at, recentUse: readRecentUse(store, caller, at) }
    return read.recentUse
  }
}

async function readRecentUse(
  store: Pick<Store, 'listCalls'>,
  { tenant, actor }: RecentUser,
  now: number,
): Promise<RecentUse> {
  try {
    const { rows } = await store.listCalls({ tenant, actor, newestFirst: true, limit: NEWEST_CALLS })
    // A caller without a name must not get the calls of all callers.
    return weigh(
      rows.filter((row) => row.actor === actor && row.resultStatus === 'succeeded'),
      now,
    )
  } catch {
    // It only ranks results. A failure of the store is reported where something depends on it.
    return () => 0
  }
}

function weigh(rows: readonly CallRow[], now: number): RecentUse {
  const weights = new Map<string, number>()
  for (const { toolId, createdAt } of rows) {
    const weight = 0.5 ** (Math.max(0, now - createdAt) / HALF_LIFE_MS)
    weights.set(toolId, (weights.get(toolId) ?? 0) + weight)
  }
  return (toolId) => {
    const weight = weights.get(toolId) ?? 0
    return weight / (weight + HALF_KNOWN)
  }
}
