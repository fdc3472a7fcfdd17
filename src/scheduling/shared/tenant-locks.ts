import type { Store } from '../../storage/store.js'
import type { Slot } from '../claim.js'
import type { SharedHold } from '../shared-locks.js'
import { slotKey, type NodeClaim } from '../expand-claims.js'
import { isGranted, isQueued, type LockQueues } from './is-granted.js'
import { toQueued, type LockEntry } from './lock-entry.js'
import { isAdmitted, type LockQueue, type QueuedClaim } from './lock-queue.js'
import { createStoredQueues, lockTopic } from './lock-queues.js'
import { slotRefused } from './slot-refused.js'

export interface SharedLocksParts {
  store: Store
  /** The owner of the locks. */
  ownerId: string
  /** Whether an owner is known to have ended. */
  isDead(ownerId: string): Promise<boolean>
  /** From 0 up to 1. */
  random(): number
  now(): number
}

interface TakeOptions extends Pick<Waiter, 'refusable' | 'onWait'> {
  readonly signal: AbortSignal
}

export interface TenantLocks {
  take(entry: LockEntry, options: TakeOptions): Promise<SharedHold>
  /** Rejects the waiting claims and releases the others. */
  close(reason: Error): Promise<void>
}

interface Waiter {
  readonly entry: LockEntry
  /** The slots that it must not wait for. */
  readonly refusable: readonly Slot[]
  readonly onWait?: ((missing: NodeClaim) => void) | undefined
  grant(): void
  refuse(reason: unknown): void
}

/** How often a waiting process checks whether the owner before it has died: a dying process writes nothing. */
const SWEEP_MS = 1_000
/** The delay before a failed release is repeated; it grows while the store fails. */
const RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000
const CLOSE_ATTEMPTS = 3
/** How often a process that uses locks inspects all queues. */
const OVERVIEW_MS = 60 * 60_000

/** The locks of one tenant in one process. Operations on the queues run one at a time. */
export function createTenantLocks(parts: SharedLocksParts & { tenant: string }): TenantLocks {
  const { store, ownerId } = parts
  const stored = createStoredQueues(parts)
  const waiting = new Map<string, Waiter>()
  /** The waiting entries that are not in their queues yet. */
  let adding: LockEntry[] = []
  /** The entries that are in their queues, or may be: a failed write may have reached the store. */
  const present = new Map<string, LockEntry>()
  /** The present entries that were released. */
  const removing = new Set<string>()
  const deadOwners = new Set<string>()
  let isLookDue = false
  let isSweepDue = false
  /**
   * When all queues were last inspected: claims of dead owners that no process waits for would otherwise stay forever.
   */
  let overviewAt: number | undefined
  let working: Promise<void> | undefined
  let later: NodeJS.Immediate | undefined
  let retry: NodeJS.Timeout | undefined
  let failures = 0
  let stopWatching: (() => void) | undefined
  let isClosed = false

  function workSoon(): void {
    // In a microtask, so that claims made together are written together.
    working ??= Promise.resolve().then(work)
  }

  /** No caller waits for the removal. If the next claim comes first, one write does both. */
  function removeSoon(id: string): void {
    removing.add(id)
    if (isClosed) return
    later ??= setImmediate(() => {
      later = undefined
      workSoon()
    })
  }

  async function work(): Promise<void> {
    clearImmediate(later)
    clearTimeout(retry)
    later = undefined
    try {
      while (!isClosed && (isLookDue || adding.length > 0 || removing.size > 0 || deadOwners.size > 0)) {
        isLookDue = false
        const queues = await applyChanges()
        failures = 0
        settle(queues)
        watchWhileWaiting()
        if (overviewAt === undefined || parts.now() - overviewAt > OVERVIEW_MS) await inspectAllQueues()
        else if (isSweepDue) await findDead(queues.values())
      }
    } catch (error) {
      for (const id of waiting.keys()) rejectWaiter(id, error)
      watchWhileWaiting()
      retryLater()
    } finally {
      // Synchronous with the loop's last check: work that comes later starts a new run.
      working = undefined
    }
  }

  async function applyChanges(): Promise<LockQueues> {
    const added = adding
    const removed = new Set(removing)
    const dead = new Set(deadOwners)
    const left = [...removed].map((id) => present.get(id)!)
    const keys = keysOf([...[...waiting.values()].map(({ entry }) => entry), ...left])
    if (added.length + removed.size + dead.size === 0) return stored.read(keys)
    adding = []
    for (const entry of added) present.set(entry.id, entry)
    const joining = queuedByKey(added)
    const queues = await stored.change(keys, (queue, key) => {
      const joins = joining.get(key) ?? []
      const isOver = ({ id, owner }: QueuedClaim): boolean =>
        removed.has(id) || dead.has(owner) || joins.some((each) => each.id === id)
      const staying = without(queue, isOver)
      return joins.length === 0 ? staying : [...staying, ...joins]
    })
    for (const id of removed) {
      removing.delete(id)
      present.delete(id)
    }
    for (const owner of dead) deadOwners.delete(owner)
    return queues
  }

  function settle(queues: LockQueues): void {
    for (const [id, { entry, refusable, onWait, grant }] of waiting) {
      if (adding.includes(entry)) continue
      if (!isQueued(queues, entry)) {
        // Another process considered this one dead, for example after the machine slept: the claim joins again at the
        // end.
        adding.push(entry)
      } else if (isGranted(queues, entry)) {
        waiting.delete(id)
        grant()
      } else {
        const full = refusable.find(({ key }) => !isAdmitted(queues.get(slotKey(key)) ?? [], id))
        if (full) rejectWaiter(id, slotRefused(full.refuse!()))
        else onWait?.(entry.nodes.find(({ key }) => !isAdmitted(queues.get(key) ?? [], id))!)
      }
    }
  }

  function rejectWaiter(id: string, reason: unknown): void {
    const waiter = waiting.get(id)
    if (!waiter) return
    waiting.delete(id)
    adding = adding.filter((entry) => entry !== waiter.entry)
    // Also after a failure of the store: the write may have reached it.
    if (present.has(id)) removeSoon(id)
    waiter.refuse(reason)
  }

  function watchWhileWaiting(): void {
    if (waiting.size === adding.length) {
      stopWatching?.()
      stopWatching = undefined
    } else if (!stopWatching) {
      stopWatching = watch()
      // The queues may have changed since the last read, and the owner before this one may be long dead.
      isLookDue = true
      isSweepDue = true
    }
  }

  function watch(): () => void {
    const look = (): void => {
      isLookDue = true
      workSoon()
    }
    const stop = store.watch([lockTopic(parts.tenant)], look, { unref: true })
    // This timer keeps the process alive while a caller waits; the watcher of the store does not.
    const timer = setInterval(() => {
      isSweepDue = true
      look()
    }, SWEEP_MS)
    return () => {
      clearInterval(timer)
      stop()
    }
  }

  async function findDead(queues: Iterable<LockQueue>): Promise<void> {
    isSweepDue = false
    for (const owner of await deadIn(queues)) deadOwners.add(owner)
  }

  async function deadIn(queues: Iterable<LockQueue>): Promise<Set<string>> {
    const owners = new Set([...queues].flatMap((queue) => queue.map(({ owner }) => owner)))
    owners.delete(ownerId)
    const dead = new Set<string>()
    await Promise.all(
      [...owners].map(async (owner) => {
        // An owner whose state is unknown counts as alive.
        if (await parts.isDead(owner).catch(() => false)) dead.add(owner)
      }),
    )
    return dead
  }

  async function inspectAllQueues(): Promise<void> {
    overviewAt = parts.now()
    isSweepDue = false
    const found = new Map<string, LockQueue>()
    for await (const { key, queue } of stored.walk()) if (queue.length > 0) found.set(key, queue)
    const dead = await deadIn(found.values())
    for (const [key, queue] of found) {
      if (!queue.some(({ owner }) => dead.has(owner))) continue
      await stored.change([key], (there) => without(there, ({ owner }) => dead.has(owner)))
      isLookDue = true
    }
    await stored.forgetEmpty()
  }

  function retryLater(): void {
    if (isClosed || removing.size === 0) return
    clearImmediate(later)
    later = undefined
    retry = setTimeout(workSoon, Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** failures++))
    // A store that keeps failing must not keep the process alive; the locks end with the process.
    retry.unref()
  }

  async function releaseAll(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await stored.change(keysOf(present.values()), (queue) =>
          without(queue, ({ owner }) => owner === ownerId),
        )
        present.clear()
        return
      } catch (error) {
        if (attempt === CLOSE_ATTEMPTS) throw error
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  return {
    take(entry, { refusable, signal, onWait }) {
      return new Promise((resolve, reject) => {
        const onAbort = (): void => rejectWaiter(entry.id, signal.reason)
        const stopListening = (): void => signal.removeEventListener('abort', onAbort)
        signal.addEventListener('abort', onAbort, { once: true })
        let isHeld = true
        const release = (): void => {
          if (isHeld) removeSoon(entry.id)
          isHeld = false
        }
        waiting.set(entry.id, {
          entry,
          refusable,
          onWait,
          grant() {
            stopListening()
            resolve({ release })
          },
          refuse(reason) {
            stopListening()
            reject(reason)
          },
        })
        adding.push(entry)
        workSoon()
      })
    },
    async close(reason) {
      isClosed = true
      for (const id of waiting.keys()) rejectWaiter(id, reason)
      watchWhileWaiting()
      clearImmediate(later)
      clearTimeout(retry)
      await working
      await releaseAll()
    },
  }
}

/** Each key once, in sorted order, so that all writers use the same order. */
function keysOf(entries: Iterable<LockEntry>): string[] {
  const keys = new Set<string>()
  for (const { nodes } of entries) for (const { key } of nodes) keys.add(key)
  return [...keys].sort()
}

function queuedByKey(entries: readonly LockEntry[]): Map<string, QueuedClaim[]> {
  const queued = new Map<string, QueuedClaim[]>()
  for (const entry of entries) {
    for (const node of entry.nodes) {
      const queue = queued.get(node.key)
      if (queue) queue.push(toQueued(entry, node))
      else queued.set(node.key, [toQueued(entry, node)])
    }
  }
  return queued
}

/** Returns the same queue if nothing is removed: then there is nothing to write. */
function without(queue: LockQueue, isGone: (claim: QueuedClaim) => boolean): LockQueue {
  return queue.some(isGone) ? queue.filter((claim) => !isGone(claim)) : queue
}
