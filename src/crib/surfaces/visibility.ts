import type { CallRow, Store } from '../../storage/store.js'

/** How well a caller knows a tool, from 0 to 1. */
export type Visibility = (toolId: string) => number

export interface VisibilityCaller {
  tenant: string
  actor: string | undefined
}

const NEWEST_CALLS = 200
const KEPT_MS = 10_000
/** After this time a call counts half. */
const HALF_LIFE_MS = 24 * 60 * 60 * 1000
/** As many calls of right now make a tool half known. */
const HALF_KNOWN = 3

/** What the caller used lately. It is read from the store and kept for some seconds: searches come in bursts. */
export function createVisibility(store: Pick<Store, 'listCalls'>, now: () => number) {
  let read: { at: number; familiarity: Promise<Visibility> } | undefined

  return function familiarityOf(caller: VisibilityCaller): Promise<Visibility> {
    const at = now()
    if (!read || at - read.at >= KEPT_MS || at < read.at)
      read = { at, familiarity: readVisibility(store, caller, at) }
    return read.familiarity
  }
}

async function readVisibility(
  store: Pick<Store, 'listCalls'>,
  { tenant, actor }: VisibilityCaller,
  now: number,
): Promise<Visibility> {
  try {
    const { rows } = await store.listCalls({ tenant, actor, newestFirst: true, limit: NEWEST_CALLS })
    // A caller without a name is not every caller.
    return weigh(
      rows.filter((row) => row.actor === actor && row.resultStatus === 'succeeded'),
      now,
    )
  } catch {
    // It only orders what was found. A store that fails says so where something depends on it.
    return () => 0
  }
}

function weigh(rows: readonly CallRow[], now: number): Visibility {
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
