/** Who is told when there is room. */
export interface ConcurrencyWaiter {
  onRoom(): void
}

/** How many calls of a batch run at once; the others wait in the order in which they came. */
export class ConcurrencyLimit {
  readonly #width: number
  #taken = 0
  #waiting: ConcurrencyWaiter[] = []
  #next = 0

  constructor(width: number) {
    this.#width = width
  }

  /** Whether there was room. If not, the caller is told when there is, and has it then. */
  take(waiter: ConcurrencyWaiter): boolean {
    if (this.#taken < this.#width) {
      this.#taken++
      return true
    }
    this.#waiting.push(waiter)
    return false
  }

  /** Gives room back that was had. */
  give(): void {
    const next = this.#waiting[this.#next]
    if (next === undefined) {
      this.#taken--
      return
    }
    this.#next++
    // The line is cut now and then: shifting it each time would cost its length.
    if (this.#next > 1024 && this.#next * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next)
      this.#next = 0
    }
    next.onRoom()
  }

  /** Leaves the line before there was room. */
  forget(waiter: ConcurrencyWaiter): void {
    const index = this.#waiting.indexOf(waiter, this.#next)
    if (index !== -1) this.#waiting.splice(index, 1)
  }
}
