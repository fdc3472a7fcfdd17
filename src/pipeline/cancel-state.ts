import type { AbortReason } from '../contract/unions.js'

/** Changed by a cancellation, by a timeout, and by the phases that wait. */
export interface CancelState {
  cancelReason?: AbortReason | undefined
  /** The call was interrupted once. */
  isInterrupted: boolean
  /** Creates the signal that hooks, approvers and executors get. Made at its first use. */
  controller?: AbortController | undefined
  /**
   * Set while the call waits for something that a cancellation can end. `cancelReason` is set before `cancel` is
   * called.
   */
  wait:
    { cancel(): void; /** Does not wait for an executor that does not stop. */ force?(): void } | undefined
}

/** Aborted when the call is canceled or runs out of time. */
export function signalOf(run: CancelState): AbortSignal {
  if (!run.controller) {
    run.controller = new AbortController()
    if (run.cancelReason !== undefined) run.controller.abort(abortError(run.cancelReason))
  }
  return run.controller.signal
}

export function abortError(reason: AbortReason): Error {
  const error = new Error(`The call was canceled (${reason}).`)
  error.name = 'AbortError'
  return error
}
