export interface SerialQueue {
  /** Starts the work when all work before it has ended, failed or not. */
  run<Value>(work: () => Value | Promise<Value>): Promise<Value>
  /** Resolves when all work that has been added so far has ended. It never rejects. */
  idle(): Promise<unknown>
}

/** Runs work one at a time, in the order in which it was added. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(work) {
      const done = last.then(work)
      last = done.catch(() => {})
      return done
    },
    idle: () => last,
  }
}
