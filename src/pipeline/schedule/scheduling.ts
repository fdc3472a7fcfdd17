import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import type { CancelState } from '../cancel-state.js'
import type { Later, Step } from '../step.js'
import type { ScheduleState } from './schedule-state.js'

/** A call as the scheduler sees it. */
export type ScheduledRun = CallRun & ScheduleState & CancelState

/** Decides when a permitted call runs. */
export interface Scheduling {
  /** Lets a call through, or makes it wait. What it holds is `run.schedule`. */
  takeTurn(call: CallState, run: ScheduledRun): Step | Later
}
