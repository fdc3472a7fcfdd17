import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'

/** Releases the locks and the batch slot of a call as soon as its executor has ended. */
export function leaveTurn(call: CallState, run: CallRun): void {
  run.schedule?.leave(call.error)
  run.slot?.leave()
}
