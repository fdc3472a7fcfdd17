import type { LockEntry } from './lock-entry.js'
import { isAdmitted, type LockQueue } from './lock-queue.js'

/** The queues of some keys. */
export type LockQueues = ReadonlyMap<string, LockQueue>

/**
 * Whether an entry holds what it claims: it is admitted in each of its queues. All of its claims are granted together, so
 * nobody waits while holding; and it came into all of its queues by one write, so no two wait for each other.
 */
export function isGranted(queues: LockQueues, { id, nodes }: Pick<LockEntry, 'id' | 'nodes'>): boolean {
  return nodes.every(({ key }) => isAdmitted(queues.get(key) ?? [], id))
}

/** Whether it still stands in each of its queues. */
export function isQueued(queues: LockQueues, { id, nodes }: Pick<LockEntry, 'id' | 'nodes'>): boolean {
  return nodes.every(({ key }) => queues.get(key)?.some((each) => each.id === id) ?? false)
}
