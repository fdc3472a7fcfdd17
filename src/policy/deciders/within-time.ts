/** An answer, or how the asking went wrong: the rest of a sentence that starts with who was asked. */
export type Timed<Value> = { ok: true; value: Value } | { ok: false; problem: string }

export interface TimeLimit {
  timeoutMs: number
  /** The call's own signal: a canceled call waits for nobody. */
  signal: AbortSignal
}

/** Longer waits overflow the timer, which would then fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Asks somebody outside, who may throw, hang or break. An answer that is there at once comes back at once: an engine in
 * this process is then asked without a timer.
 */
export function withinTime<Value>(
  ask: (signal: AbortSignal) => Value | Promise<Value>,
  { timeoutMs, signal }: TimeLimit,
): Timed<Value> | Promise<Timed<Value>> {
  if (signal.aborted) return { ok: false, problem: CANCELED }
  const controller = new AbortController()
  try {
    const answer = ask(controller.signal)
    if (!isThenable(answer)) return { ok: true, value: answer }
    return race(answer, controller, { timeoutMs, signal })
  } catch (error) {
    return failed(error)
  }
}

const CANCELED = 'was not waited for, because the call was canceled'

async function race<Value>(
  answer: PromiseLike<Value>,
  controller: AbortController,
  { timeoutMs, signal }: TimeLimit,
): Promise<Timed<Value>> {
  let timer: NodeJS.Timeout | undefined
  let onAbort: (() => void) | undefined
  const cutShort = new Promise<Timed<Value>>((resolve) => {
    // First the outcome, then the signal: what the asked one says about being stopped comes too late to be heard.
    const cut = (problem: string): void => {
      resolve({ ok: false, problem })
      controller.abort()
    }
    timer = setTimeout(() => cut(`did not answer within ${timeoutMs} ms`), Math.min(timeoutMs, MAX_TIMER_MS))
    onAbort = () => cut(CANCELED)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  const settled = Promise.resolve(answer).then((value): Timed<Value> => ({ ok: true, value }), failed)
  try {
    return await Promise.race([settled, cutShort])
  } finally {
    clearTimeout(timer)
    if (onAbort) signal.removeEventListener('abort', onAbort)
  }
}

function isThenable<Value>(answer: Value | PromiseLike<Value>): answer is PromiseLike<Value> {
  return (
    typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function'
  )
}

function failed(error: unknown): { ok: false; problem: string } {
  return { ok: false, problem: `failed (${wordsOf(error)})` }
}

function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'it cannot be said how'
  }
}
