import { signalOf } from '../cancel-state.js'
import type { TimedRun } from './time-ports.js'
import type { CallState } from '../call-state.js'
import { timeLimit } from './deadlines.js'
import { statedTimeout } from './timeout-of.js'
import { leftMs } from './left-ms.js'

/** The call was canceled or ran out of time; `cancelReason` has the reason. */
export class Interrupted extends Error {}

/** Runs work that ends with the call: a timeout or a cancellation rejects it, even if the work ignores its signal. */
export function inTime<Value>(
  call: CallState,
  run: TimedRun,
  { work, discard }: { work(signal: AbortSignal): Promise<Value>; discard?(late: Value): void },
): Promise<Value> {
  const ofCall = signalOf(run)
  const controller = new AbortController()
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      run.ports.deadlines.clear(deadline)
      ofCall.removeEventListener('abort', interrupt)
    }
    const interrupt = (): void => {
      leave()
      controller.abort()
      reject(new Interrupted('The call was given up.'))
    }
    const onTime = (): void => {
      run.cancelReason ??= 'timeout'
      interrupt()
    }
    const timeoutMs = Math.max(1, Math.ceil(Math.min(statedTimeout(call, run), leftMs(run))))
    const deadline = timeLimit(timeoutMs, onTime)
    run.ports.deadlines.set(deadline)
    if (ofCall.aborted) return interrupt()
    ofCall.addEventListener('abort', interrupt)
    work(controller.signal).then(
      (value) => {
        leave()
        if (controller.signal.aborted) discard?.(value)
        else resolve(value)
      },
      (error) => {
        leave()
        reject(error as Error)
      },
    )
  })
}
