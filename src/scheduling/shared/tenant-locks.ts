import type { Store } from '../../storage/store.js'
import type { Place } from '../claim.js'
import type { HeldLocks } from '../shared-locks.js'
import { hasPlace, isGranted } from './is-granted.js'
import { createLockDocument, lockTopic } from './lock-document.js'
import type { LockEntry } from './lock-entry.js'
import { placeRefused } from './place-refused.js'

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
  take(entry: LockEntry, options: { refusable: readonly Place[]; signal: AbortSignal }): Promise<HeldLocks>
  /** Turns away those who wait, and gives back everything. */
  close(reason: Error): Promise<void>
}

interface Waiter {
  readonly entry: LockEntry
  /** The places for which it is not to wait. */
  readonly refusable: readonly Place[]
  grant(): void
  refuse(reason: unknown): void
}

/** How often those who wait look whether the owner before them died: nobody writes when that happens. */
const SWEEP_MS = 1_000
/** A store that failed is asked again to take back what was given back, and ever more seldom while it fails. */
const RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000
const CLOSE_ATTEMPTS = 3

/** The locks of one tenant, from the side of one process. One thing at a time is done with the table. */
export function createTenantLocks(parts: SharedLocksParts & { tenant: string }): TenantLocks {
  const { store, ownerId } = parts
  const table = createLockDocument(parts)
  const waiting = new Map<string, Waiter>()
  /** Of those who wait, the ones that the table does not have yet. */
  let adding: LockEntry[] = []
  /** Given back, and perhaps still in the table. */
  const removing = new Set<string>()
  const deadOwners = new Set<string>()
  let isLookDue = false
  // What died long ago may be in nobody's way and would stay for ever: the first sight of the table looks for it.
  let isSweepDue = true
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
        const entries = await bringUpToDate()
        failures = 0
        settle(entries)
        watchWhileWaiting()
        if (isSweepDue) await findDead(entries)
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

  async function bringUpToDate(): Promise<readonly LockEntry[]> {
    const added = adding
    const removed = new Set(removing)
    const dead = new Set(deadOwners)
    if (added.length + removed.size + dead.size === 0) return table.read()
    adding = []
    const entries = await table.change((there) => {
      const left = without(there, ({ id, owner }) => removed.has(id) || dead.has(owner))
      return added.length === 0 ? left : [...left, ...added]
    })
    for (const id of removed) removing.delete(id)
    for (const owner of dead) deadOwners.delete(owner)
    return entries
  }

  function settle(entries: readonly LockEntry[]): void {
    if (waiting.size === 0) return
    const indexes = new Map(entries.map(({ id }, index) => [id, index]))
    for (const [id, { entry, refusable, grant }] of waiting) {
      const index = indexes.get(id)
      if (index === undefined) {
        // Somebody took this process for dead, as after a long sleep of the machine: it comes again, as the last.
        if (!adding.includes(entry)) adding.push(entry)
      } else if (isGranted(entries, index)) {
        waiting.delete(id)
        grant()
      } else {
        const full = refusable.find((place) => !hasPlace(entries, index, place))
        if (full) turnAway(id, placeRefused(full.refuse!()))
      }
    }
  }

  function turnAway(id: string, reason: unknown): void {
    const waiter = waiting.get(id)
    if (!waiter) return
    waiting.delete(id)
    if (adding.includes(waiter.entry)) adding = adding.filter((entry) => entry !== waiter.entry)
    // Even where the store has failed: it may have written it all the same.
    else removeSoon(id)
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

  async function findDead(entries: readonly LockEntry[]): Promise<void> {
    isSweepDue = false
    const owners = new Set(entries.map(({ owner }) => owner))
    owners.delete(ownerId)
    await Promise.all(
      [...owners].map(async (owner) => {
        // Of whom nothing can be found out lives.
        if (await parts.isDead(owner).catch(() => false)) deadOwners.add(owner)
      }),
    )
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
        await table.change((entries) => without(entries, ({ owner }) => owner === ownerId))
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

/** The list itself where nothing is left out: then there is nothing to write. */
function without(entries: readonly LockEntry[], isGone: (entry: LockEntry) => boolean): readonly LockEntry[] {
  return entries.some(isGone) ? entries.filter((entry) => !isGone(entry)) : entries
}
