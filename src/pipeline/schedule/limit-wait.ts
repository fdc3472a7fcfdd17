import { abortError } from '../cancel-state.js'
import { timeLimit } from '../execute/deadlines.js'
import type { TimedRun } from '../execute/time-ports.js'
import { leftMs } from '../execute/left-ms.js'

/** Ends a wait between two attempts when the caller's time is over. Returns a function that removes this limit. */
export function limitWait(run: TimedRun): (() => void) | undefined {
  if (!run.retrying || run.endBy === undefined) return undefined
  const { deadlines } = run.ports
  const onTime = (): void => {
    run.cancelReason ??= 'timeout'
    run.controller?.abort(abortError(run.cancelReason))
    run.wait?.cancel()
  }
  const deadline = timeLimit(Math.max(1, Math.ceil(leftMs(run))), onTime)
  deadlines.set(deadline)
  return () => deadlines.clear(deadline)
}
