import type { Claim } from './claim.js'
import { createLockTable, type Holding } from './lock-table.js'

/**
 * How a call stands to the others of its turn. `free`: beside every other free one. `reached`: its locks say all that it
 * can collide over. `free_reached`: both. `sole`: alone.
 */
export type QueueMode = 'free' | 'free_reached' | 'reached' | 'sole'

const BESIDE: Record<QueueMode, Record<QueueMode, boolean>> = {
  free: { free: true, free_reached: true, reached: false, sole: false },
  free_reached: { free: true, free_reached: true, reached: true, sole: false },
  reached: { free: false, free_reached: true, reached: true, sole: false },
  sole: { free: false, free_reached: false, reached: false, sole: false },
}

/** One call in its queue. */
export interface QueueEntry {
  /** Unknown until the call has been judged: until then nothing that comes after it starts. */
  mode: QueueMode | undefined
  /** What it will hold. Of two that meet in it, the one that was asked for first goes first. */
  locks: readonly Claim[]
  /** Its slot among those of the queue that will hold the same. */
  holding: Holding | undefined
  /** It could start, if those before it let it. */
  isReady: boolean
  isAdmitted: boolean
  before: QueueEntry | undefined
  after: QueueEntry | undefined
  onTurn(): void
}

/**
 * The calls of one session's turn in the order in which they were asked for. A call starts when it goes beside
 * everything that was asked for before it and has not ended.
 */
export class SessionQueue {
  readonly #running: Record<QueueMode, number> = { free: 0, free_reached: 0, reached: 0, sole: 0 }
  readonly #table = createLockTable()
  #first: QueueEntry | undefined = undefined
  #last: QueueEntry | undefined = undefined
  #size = 0
  #isRelocking = false
  /** Batches that may still add to it. */
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

  /** Lets in whoever may start now. */
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

  /** Whether the entry may start at once. Most are the first that waits, and nothing else is looked at. */
  arrive(entry: QueueEntry, mode: QueueMode): boolean {
    entry.mode = mode
    entry.isReady = true
    if (this.#first === entry && fits(mode, this.#running) && this.#hasLocks(entry)) this.#admit(entry, mode)
    else this.update()
    return entry.isAdmitted
  }

  /**
   * An entry that waits will hold something else than was foreseen. Those behind it that wait may hold it already: all of
   * them let go, and join again in the order of the queue.
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

  /** An entry that is still at work now counts as another: nothing that comes later goes beside it. */
  harden(entry: QueueEntry): void {
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

  /** Joins in the order of the queue, for those before have been looked at before. */
  #hasLocks(entry: QueueEntry): boolean {
    if (entry.locks.length === 0) return true
    entry.holding ??= this.#table.join(entry.locks, { onGranted: () => this.update() }, '')
    return entry.holding.isGranted
  }

  #admit(entry: QueueEntry, mode: QueueMode): void {
    const { after } = entry
    this.#unlink(entry)
    // Whoever walks the list goes on from here.
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
