import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'

/** What a call held is free as soon as its executor has ended, and so is its place in its turn. */
export function leaveTurn(call: CallState, run: CallRun): void {
  run.schedule?.leave(call.error)
  run.slot?.leave()
}
