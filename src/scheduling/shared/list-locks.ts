import type { Store } from '../../storage/store.js'
import { toClaim, type NodeClaim } from '../expand-claims.js'
import { isGranted } from './is-granted.js'
import type { LockEntry } from './lock-entry.js'
import type { LockQueue, QueuedClaim } from './lock-queue.js'
import { createStoredQueues } from './lock-queues.js'

/** One claim of one call in the queues that processes share. */
export interface ListedLock {
  key: string
  /** Of a lock. */
  mode?: 'shared' | 'exclusive'
  /** Of a slot: how many calls may hold one at a time. */
  width?: number
  invocationId: string
  /** The crib that runs the call. */
  owner: string
  state: 'held' | 'waiting'
  /** When it was claimed. */
  since: string
}

/** Held and waiting claims, in the order in which they were made. Claims of dead processes are omitted. */
export async function listLocks(
  store: Store,
  { tenant, isDead }: { tenant: string; isDead(ownerId: string): Promise<boolean> },
): Promise<ListedLock[]> {
  const { queues, entries } = await readLocks(store, { tenant, isDead })
  return entries.flatMap((entry) => {
    const { nodes, invocationId, owner, since } = entry
    const state = isGranted(queues, entry) ? 'held' : 'waiting'
    const rest = { invocationId, owner, state, since: new Date(since).toISOString() } as const
    return nodes.flatMap((node) => {
      const claim = toClaim(node, tenant)
      return claim ? [{ ...claim, ...rest }] : []
    })
  })
}

interface SeenLocks {
  queues: ReadonlyMap<string, LockQueue>
  /** Each call once, by time of arrival. */
  entries: readonly LockEntry[]
}

/** All queues of a tenant, without the claims of dead processes. */
export async function readLocks(
  store: Store,
  { tenant, isDead }: { tenant: string; isDead(ownerId: string): Promise<boolean> },
): Promise<SeenLocks> {
  const found = new Map<string, LockQueue>()
  const stored = createStoredQueues({ store, tenant, random: Math.random, now: () => store.now() })
  for await (const { key, queue } of stored.walk()) found.set(key, queue)
  const owners = new Set([...found.values()].flatMap((queue) => queue.map(({ owner }) => owner)))
  const dead = new Set<string>()
  await Promise.all([...owners].map(async (owner) => (await isDead(owner)) && dead.add(owner)))
  const queues = new Map<string, LockQueue>()
  const entries = new Map<string, LockEntry & { nodes: NodeClaim[] }>()
  for (const [key, queue] of found) {
    const living = queue.filter(({ owner }) => !dead.has(owner))
    queues.set(key, living)
    for (const claim of living) {
      const { id, invocationId, owner, since } = claim
      const entry = entries.get(id) ?? { id, invocationId, owner, since, nodes: [] }
      entry.nodes.push(nodeOf(key, claim))
      entries.set(id, entry)
    }
  }
  return { queues, entries: [...entries.values()].sort((a, b) => a.since - b.since) }
}

function nodeOf(key: string, { kind, width = 0 }: QueuedClaim): NodeClaim {
  return kind === 'slot' ? { key, kind, width } : { key, kind }
}
