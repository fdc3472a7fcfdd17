import type { CallRun, RunPorts } from '../call-run.js'
import type { CancelState } from '../cancel-state.js'
import type { Deadlines } from './deadlines.js'

/** The ports that limit the time of a call. */
export interface TimePorts extends RunPorts {
  readonly deadlines: Deadlines
  readonly defaultTimeoutMs: number
}

/** A call that can time out. */
export type TimedRun = CallRun<TimePorts> & CancelState
