let last: Promise<unknown> = Promise.resolve()

/** Does work of some milliseconds when it is its turn: whatever else is asked for meanwhile is done in between. */
export function takeTurn<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  const done = last.then(() => new Promise((resolve) => setImmediate(resolve))).then(work)
  last = done.catch(() => {})
  return done
}
