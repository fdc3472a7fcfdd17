import type { Store } from '../../storage/store.js'
import { isGranted } from './is-granted.js'
import { readLocks } from './lock-document.js'

/** One claim of one call in the table that processes share. */
export interface ListedLock {
  key: string
  /** Of a lock. */
  mode?: 'shared' | 'exclusive'
  /** Of a place: how many calls may hold one at a time. */
  width?: number
  invocationId: string
  /** The crib that runs the call. */
  owner: string
  state: 'held' | 'waiting'
  /** When it was asked for. */
  since: string
}

/** What is held and waited for, in the order in which it was asked for. What the dead left counts as given back. */
export async function listLocks(
  store: Store,
  { tenant, isDead }: { tenant: string; isDead(ownerId: string): Promise<boolean> },
): Promise<ListedLock[]> {
  const { entries } = await readLocks(store, tenant)
  const owners = [...new Set(entries.map(({ owner }) => owner))]
  const dead = new Set<string>()
  await Promise.all(owners.map(async (owner) => (await isDead(owner)) && dead.add(owner)))
  const living = entries.filter(({ owner }) => !dead.has(owner))
  return living.flatMap(({ claims, invocationId, owner, since }, index) => {
    const state = isGranted(living, index) ? 'held' : 'waiting'
    const rest = { invocationId, owner, state, since: new Date(since).toISOString() } as const
    return claims.map((claim) => ({ ...claim, ...rest }))
  })
}
