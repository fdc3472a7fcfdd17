const line: (() => void)[] = []

/**
 * Resolves when everybody else who waits has had a turn. Those who wait here go on one at a time, so that what each of
 * them does until it waits again is all that anybody has to wait for.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    line.push(resolve)
    if (line.length === 1) setImmediate(callNext)
  })
}

function callNext(): void {
  const [resolve] = line
  // Taken out only now: who joins the line meanwhile does not begin a second one.
  resolve!()
  line.shift()
  // One that is asked for in such a callback comes after timers and sockets.
  if (line.length > 0) setImmediate(callNext)
}
