import type { Claim } from './claim.js'
import { createLockTable, type Holding } from './lock-table.js'

/**
 * Which calls of its turn a call may run beside. `free`: every other free call. `reached`: its locks cover all possible
 * conflicts. `free_reached`: both. `sole`: none.
 */
export type QueueMode = 'free' | 'free_reached' | 'reached' | 'sole'

/** A queue is of one tenant: its locks need none. */
export const SESSION_TENANT = ''

const BESIDE: Record<QueueMode, Record<QueueMode, boolean>> = {
  free: { free: true, free_reached: true, reached: false, sole: false },
  free_reached: { free: true, free_reached: true, reached: true, sole: false },
  reached: { free: false, free_reached: true, reached: true, sole: false },
  sole: { free: false, free_reached: false, reached: false, sole: false },
}

/** One call in its queue. */
export interface QueueEntry {
  /** Unknown until the policy has decided about the call: until then no later call starts. */
  mode: QueueMode | undefined
  /** The locks that it will hold. Of two calls with conflicting locks, the earlier one goes first. */
  locks: readonly Claim[]
  /** Its claims in the queue's lock table. */
  holding: Holding | undefined
  /** Whether it is ready to start once the calls before it allow that. */
  isReady: boolean
  isAdmitted: boolean
  before: QueueEntry | undefined
  after: QueueEntry | undefined
  onTurn(): void
}

/**
 * The calls of one session's turns in their order. A call starts when it may run beside all earlier calls that have not
 * ended.
 */
export class SessionQueue {
  readonly #running: Record<QueueMode, number> = { free: 0, free_reached: 0, reached: 0, sole: 0 }
  readonly #table = createLockTable()
  #first: QueueEntry | undefined = undefined
  #last: QueueEntry | undefined = undefined
  #size = 0
  #isRelocking = false
  /** How many open batches may still add calls. */
  turns = 0

  get isEmpty(): boolean {
    return this.#size === 0 && this.turns === 0
  }

  join(entry: QueueEntry): void {
    this.#size++
    entry.before = this.#last
    if (this.#last) this.#last.after = entry
    else this.#first = entry
    this.#last = entry
  }

  /** Admits all calls that may start now. */
  update(): void {
    if (this.#running.sole > 0 || this.#isRelocking) return
    const ahead = { ...this.#running }
    const admitted: QueueEntry[] = []
    for (let entry = this.#first; entry; entry = entry.after) {
      const { mode } = entry
      if (mode === undefined) break
      if (this.#hasLocks(entry) && entry.isReady && fits(mode, ahead)) {
        this.#admit(entry, mode)
        admitted.push(entry)
      } else if (mode === 'sole') break
      ahead[mode]++
    }
    for (const entry of admitted) entry.onTurn()
  }

  /** Whether the entry may start now. Usually the entry is the first that waits, and no other entry is examined. */
  arrive(entry: QueueEntry, mode: QueueMode): boolean {
    entry.mode = mode
    entry.isReady = true
    if (this.#first === entry && fits(mode, this.#running) && this.#hasLocks(entry)) this.#admit(entry, mode)
    else this.update()
    return entry.isAdmitted
  }

  /**
   * Changes the locks of a waiting entry. Later waiting entries may hold them already: all of them release their claims
   * and join again in the order of the queue.
   */
  relock(entry: QueueEntry, locks: QueueEntry['locks']): void {
    this.#isRelocking = true
    for (let each: QueueEntry | undefined = entry; each; each = each.after) {
      each.holding?.leave()
      each.holding = undefined
    }
    entry.locks = locks
    this.#isRelocking = false
  }

  /** Makes an admitted entry exclusive: no later call runs beside it. */
  makeExclusive(entry: QueueEntry): void {
    if (!entry.isAdmitted || entry.mode === undefined) return
    this.#running[entry.mode]--
    entry.mode = 'sole'
    this.#running.sole++
  }

  leave(entry: QueueEntry): void {
    this.#size--
    if (entry.isAdmitted) this.#running[entry.mode!]--
    else this.#unlink(entry)
    entry.holding?.leave()
    if (this.#first) this.update()
  }

  /** Claims the locks of the entry. Earlier entries have joined before, because entries are examined in order. */
  #hasLocks(entry: QueueEntry): boolean {
    if (entry.locks.length === 0) return true
    entry.holding ??= this.#table.join(entry.locks, { onGranted: () => this.update() }, SESSION_TENANT)
    return entry.holding.isGranted
  }

  #admit(entry: QueueEntry, mode: QueueMode): void {
    const { after } = entry
    this.#unlink(entry)
    // An iteration over the list continues from here.
    entry.after = after
    entry.isAdmitted = true
    this.#running[mode]++
  }

  #unlink(entry: QueueEntry): void {
    const { before, after } = entry
    if (before) before.after = after
    else this.#first = after
    if (after) after.before = before
    else this.#last = before
    entry.before = undefined
    entry.after = undefined
  }
}

function fits(mode: QueueMode, ahead: Readonly<Record<QueueMode, number>>): boolean {
  const beside = BESIDE[mode]
  return (
    ahead.sole === 0 &&
    (ahead.free === 0 || beside.free) &&
    (ahead.free_reached === 0 || beside.free_reached) &&
    (ahead.reached === 0 || beside.reached)
  )
}
