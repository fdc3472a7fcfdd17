/** Notified when a slot is free. */
export interface ConcurrencyWaiter {
  onSlot(): void
}

/** Limits how many calls of a batch run at the same time; the others wait in order of arrival. */
export class ConcurrencyLimit {
  readonly width: number
  #taken = 0
  #waiting: ConcurrencyWaiter[] = []
  #next = 0

  constructor(width: number) {
    this.width = width
  }

  /** Returns whether a slot was free. If not, the waiter gets the next free slot and is notified. */
  take(waiter: ConcurrencyWaiter): boolean {
    if (this.#taken < this.width) {
      this.#taken++
      return true
    }
    this.#waiting.push(waiter)
    return false
  }

  /** Returns a slot that was taken. */
  give(): void {
    const next = this.#waiting[this.#next]
    if (next === undefined) {
      this.#taken--
      return
    }
    this.#next++
    // The array is truncated only now and then: shifting it each time costs time in proportion to its length.
    if (this.#next > 1024 && this.#next * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next)
      this.#next = 0
    }
    next.onSlot()
  }

  /** Removes a waiter that has no slot yet. */
  forget(waiter: ConcurrencyWaiter): void {
    const index = this.#waiting.indexOf(waiter, this.#next)
    if (index !== -1) this.#waiting.splice(index, 1)
  }
}
