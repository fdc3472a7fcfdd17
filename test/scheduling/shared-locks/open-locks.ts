import { sqliteStore, type Store } from 'toolcrib'
import { createSharedLocks } from '../../../src/scheduling/shared/create-shared-locks.js'
import { listLocks, readLocks, type ListedLock } from '../../../src/scheduling/shared/list-locks.js'
import type { Claim } from '../../../src/scheduling/claim.js'
import type { SharedHold, SharedLocks } from '../../../src/scheduling/shared-locks.js'

export interface OpenLocks extends Omit<SharedLocks, 'take'> {
  readonly store: Store
  /** The id of the call, if it matters. */
  take(
    claims: readonly Claim[],
    about?: { id?: string; tenant?: string; signal?: AbortSignal },
  ): Promise<SharedHold>
  list(): Promise<ListedLock[]>
  /** `held inv_1`, `waiting inv_2`: each call once, in order of arrival. */
  states(): Promise<string[]>
  /** How many calls are in the stored queues. */
  size(): Promise<number>
}

export interface OpenLocksOptions {
  path: string
  name: string
  isDead?: (ownerId: string) => Promise<boolean>
  /** Wraps the store that the locks use. */
  wrap?: (store: Store) => Store
}

const opened: (() => Promise<void>)[] = []

/** The locks of one crib, without the crib; `closeLocks` closes all of them. */
export async function openLocks(options: OpenLocksOptions): Promise<OpenLocks> {
  const { path, name, isDead = async () => false, wrap = (inner) => inner } = options
  const inner = sqliteStore({ path, pollMs: 5 })
  await inner.open()
  const store = wrap(inner)
  const locks = createSharedLocks({
    store,
    ownerId: `crib_${name}`,
    isDead,
    random: Math.random,
    now: Date.now,
  })
  opened.push(async () => {
    // Some stores fail on purpose.
    await locks.close().catch(() => {})
    await inner.close()
  })
  let count = 0
  const list = (): Promise<ListedLock[]> => listLocks(inner, { tenant: 'default', isDead: async () => false })
  return {
    ...locks,
    store,
    take(claims, { id = `inv_${name}_${count++}`, tenant = 'default', signal } = {}) {
      const about = { tenant, invocationId: id, signal: signal ?? new AbortController().signal }
      return locks.take(claims, about)
    },
    list,
    async states() {
      return [...new Set((await list()).map(({ state, invocationId }) => `${state} ${invocationId}`))]
    },
    size: async () =>
      (await readLocks(inner, { tenant: 'default', isDead: async () => false })).entries.length,
  }
}

export async function closeLocks(): Promise<void> {
  for (const close of opened.splice(0)) await close()
}
