import { abortError, type CallRun } from '../call-run.js'
import { leftMs } from '../execute/left-ms.js'

/** Ends a wait between two attempts when the time that the caller gave is over. What it returns takes that back. */
export function limitWait(run: CallRun): (() => void) | undefined {
  if (!run.retrying || run.endBy === undefined) return undefined
  const { deadlines } = run.ports
  const onTime = (): void => {
    run.cancelReason ??= 'timeout'
    run.controller?.abort(abortError(run.cancelReason))
    run.wait?.cancel()
  }
  const deadline = deadlines.set(Math.max(1, Math.ceil(leftMs(run))), { onTime })
  return () => deadlines.clear(deadline)
}
