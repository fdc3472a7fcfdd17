import type { CallRun } from '../call-run.js'
import type { CancelState } from '../cancel-state.js'
import type { TimePorts } from '../execute/time-ports.js'
import type { Scheduling } from './scheduling.js'

export interface SchedulePorts extends TimePorts {
  readonly scheduling: Scheduling
}

export type ScheduleRun = CallRun<SchedulePorts> & CancelState
