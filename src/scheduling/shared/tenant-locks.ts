import type { Store } from '../../storage/store.js'
import type { Slot } from '../claim.js'
import type { SharedHold } from '../shared-locks.js'
import { slotKey } from '../expand-claims.js'
import { isGranted, isQueued, type LockQueues } from './is-granted.js'
import { toQueued, type LockEntry } from './lock-entry.js'
import { isAdmitted, type LockQueue, type QueuedClaim } from './lock-queue.js'
import { createStoredQueues, lockTopic } from './lock-queues.js'
import { placeRefused } from './slot-refused.js'

export interface SharedLocksParts {
  store: Store
  /** Who takes the locks. */
  ownerId: string
  /** Whether an owner is provably gone. */
  isDead(ownerId: string): Promise<boolean>
  /** From 0 up to 1. */
  random(): number
  now(): number
}

export interface TenantLocks {
  take(entry: LockEntry, options: { refusable: readonly Slot[]; signal: AbortSignal }): Promise<SharedHold>
  /** Turns away those who wait, and gives back everything. */
  close(reason: Error): Promise<void>
}

interface Waiter {
  readonly entry: LockEntry
  /** The slots for which it is not to wait. */
  readonly refusable: readonly Slot[]
  grant(): void
  refuse(reason: unknown): void
}

/** How often those who wait look whether the owner before them died: nobody writes when that happens. */
const SWEEP_MS = 1_000
/** A store that failed is asked again to take back what was given back, and ever more seldom while it fails. */
const RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000
const CLOSE_ATTEMPTS = 3
/** How often all queues are looked at, by a process that uses them. */
const OVERVIEW_MS = 60 * 60_000

/** The locks of one tenant, from the side of one process. One thing at a time is done with the queues. */
export function createTenantLocks(parts: SharedLocksParts & { tenant: string }): TenantLocks {
  const { store, ownerId } = parts
  const stored = createStoredQueues(parts)
  const waiting = new Map<string, Waiter>()
  /** Of those who wait, the ones that are not in their queues yet. */
  let adding: LockEntry[] = []
  /** Those that are in their queues, or may be: a store that failed may have written them all the same. */
  const present = new Map<string, LockEntry>()
  /** Of those, the ones that were given back. */
  const removing = new Set<string>()
  const deadOwners = new Set<string>()
  let isLookDue = false
  let isSweepDue = false
  /** When all queues were last looked at: what died long ago may be in nobody's way, and would stay for ever. */
  let overviewAt: number | undefined
  let working: Promise<void> | undefined
  let later: NodeJS.Immediate | undefined
  let retry: NodeJS.Timeout | undefined
  let failures = 0
  let stopWatching: (() => void) | undefined
  let isClosed = false

  function workSoon(): void {
    // In a moment of its own: what is asked for in one go is written in one go.
    working ??= Promise.resolve().then(work)
  }

  /** Nobody here waits for it. With luck the next call comes first, and one write does for both. */
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
        const queues = await bringUpToDate()
        failures = 0
        settle(queues)
        watchWhileWaiting()
        if (overviewAt === undefined || parts.now() - overviewAt > OVERVIEW_MS) await lookAtAll()
        else if (isSweepDue) await findDead(queues.values())
      }
    } catch (error) {
      for (const id of waiting.keys()) turnAway(id, error)
      watchWhileWaiting()
      retryLater()
    } finally {
      // In the same breath as the last look at what is due: what comes after this starts anew.
      working = undefined
    }
  }

  async function bringUpToDate(): Promise<LockQueues> {
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
    for (const [id, { entry, refusable, grant }] of waiting) {
      if (adding.includes(entry)) continue
      if (!isQueued(queues, entry)) {
        // Somebody took this process for dead, as after a long sleep of the machine: it comes again, as the last.
        adding.push(entry)
      } else if (isGranted(queues, entry)) {
        waiting.delete(id)
        grant()
      } else {
        const full = refusable.find(({ key }) => !isAdmitted(queues.get(slotKey(key)) ?? [], id))
        if (full) turnAway(id, placeRefused(full.refuse!()))
      }
    }
  }

  function turnAway(id: string, reason: unknown): void {
    const waiter = waiting.get(id)
    if (!waiter) return
    waiting.delete(id)
    adding = adding.filter((entry) => entry !== waiter.entry)
    // Even where the store has failed: it may have written it all the same.
    if (present.has(id)) removeSoon(id)
    waiter.refuse(reason)
  }

  function watchWhileWaiting(): void {
    if (waiting.size === adding.length) {
      stopWatching?.()
      stopWatching = undefined
    } else if (!stopWatching) {
      stopWatching = watch()
      // Something may have happened between the last look and now; and who stands before may be long dead.
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
    // It is this that keeps the process alive, not the watching: somebody waits for a promise, and how a store
    // watches is its own affair.
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
        // Of whom nothing can be found out lives.
        if (await parts.isDead(owner).catch(() => false)) dead.add(owner)
      }),
    )
    return dead
  }

  async function lookAtAll(): Promise<void> {
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
    // A store that stays broken must not keep a process alive; with the process, its locks end too.
    retry.unref()
  }

  async function giveBackAll(): Promise<void> {
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
    take(entry, { refusable, signal }) {
      return new Promise((resolve, reject) => {
        const onAbort = (): void => turnAway(entry.id, signal.reason)
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
      for (const id of waiting.keys()) turnAway(id, reason)
      watchWhileWaiting()
      clearImmediate(later)
      clearTimeout(retry)
      await working
      await giveBackAll()
    },
  }
}

/** Each key once, in sorted order: whoever writes several takes them in the same order. */
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

/** The queue itself where nobody is left out: then there is nothing to write. */
function without(queue: LockQueue, isGone: (claim: QueuedClaim) => boolean): LockQueue {
  return queue.some(isGone) ? queue.filter((claim) => !isGone(claim)) : queue
}
