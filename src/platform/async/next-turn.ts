const waiters: (() => void)[] = []

/**
 * Resolves after the waiters before this one. Waiters continue one per turn of the event loop, so that timers and
 * sockets are served between two of them.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiters.push(resolve)
    if (waiters.length === 1) setImmediate(callNext)
  })
}

function callNext(): void {
  const [resolve] = waiters
  // Removed only now: a waiter that is added meanwhile does not start a second chain.
  resolve!()
  waiters.shift()
  // setImmediate within its own callback runs after timers and sockets.
  if (waiters.length > 0) setImmediate(callNext)
}
