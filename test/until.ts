type Condition = () => boolean | Promise<boolean>

const FAIL_AFTER_MS = 15_000

/**
 * Polls until the condition holds. With `what` it fails after 15 s and says what did not happen; without, the timeout of
 * the test ends it.
 */
export async function until(holds: Condition, what?: string): Promise<void> {
  const deadline = Date.now() + FAIL_AFTER_MS
  while (!(await holds())) {
    if (what !== undefined && Date.now() > deadline) throw new Error(`It did not happen in time: ${what}.`)
    await pause(what === undefined ? 5 : 20)
  }
}

/** Polls until the condition holds or the time is over, and returns whether it holds: the caller asserts on it. */
export async function eventually(holds: Condition, withinMs = FAIL_AFTER_MS): Promise<boolean> {
  const deadline = Date.now() + withinMs
  while (Date.now() < deadline) {
    if (await holds()) return true
    await pause(50)
  }
  return holds()
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
