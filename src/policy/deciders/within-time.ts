import { MAX_TIMER_MS } from '../../platform/async/max-timer-ms.js'
import { safeErrorMessage } from '../../platform/text/error-message.js'

/** An answer, or why there is none: the rest of a sentence that starts with the name of the engine or classifier. */
export type Timed<Value> = { ok: true; value: Value } | { ok: false; problem: string }

export interface TimeLimit {
  timeoutMs: number
  /** The call's own signal: a canceled call stops waiting. */
  signal: AbortSignal
}

/**
 * Calls an outside engine or classifier, which may throw, hang or break. A synchronous answer returns synchronously: an
 * engine in this process then needs no timer.
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
    // First the outcome, then the signal: an answer to the abort itself comes too late to count.
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
  return { ok: false, problem: `failed (${safeErrorMessage(error)})` }
}
