import type { CallRun } from '../call-run.js'
import type { RefState } from './held-refs.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import type { TimePorts } from '../execute/time-ports.js'
import type { JudgePorts } from '../permission/judge-ports.js'
import type { RefReader } from './ref-reader.js'

export interface RefPorts extends JudgePorts, TimePorts {
  readonly refs: RefReader
  /** Whether the rules let such a caller read results at all. */
  mayReadResults(request: SurfaceRequest): boolean
}

export type RefRun = CallRun<RefPorts> & RefState
