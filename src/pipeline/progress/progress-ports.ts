import type { CallRun } from '../call-run.js'
import type { TimePorts } from '../execute/time-ports.js'

export interface ProgressPorts extends TimePorts {
  /** For one call; more frequent reports are merged. */
  readonly maxProgressPerSecond: number
}

export type ProgressRun = CallRun<ProgressPorts>
