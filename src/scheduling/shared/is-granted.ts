import type { LockEntry } from './lock-entry.js'
import { isAdmitted, type LockQueue } from './lock-queue.js'

/** The queues of some keys. */
export type LockQueues = ReadonlyMap<string, LockQueue>

/**
 * Whether all claims of an entry are granted: it is admitted in each of its queues. No entry waits while it holds a
 * part of its claims, and it entered all queues in one write, so there is no deadlock.
 */
export function isGranted(queues: LockQueues, { id, nodes }: Pick<LockEntry, 'id' | 'nodes'>): boolean {
  return nodes.every(({ key }) => isAdmitted(queues.get(key) ?? [], id))
}

/** Whether it is still in each of its queues. */
export function isQueued(queues: LockQueues, { id, nodes }: Pick<LockEntry, 'id' | 'nodes'>): boolean {
  return nodes.every(({ key }) => queues.get(key)?.some((each) => each.id === id) ?? false)
}
