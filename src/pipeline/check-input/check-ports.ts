import type { CallRun } from '../call-run.js'
import type { ExecutePorts } from '../execute/execute-ports.js'
import type { RefState } from '../refs/held-refs.js'
import type { RefPorts } from '../refs/ref-ports.js'
import type { CheckedInput } from './checked-input.js'

/** A tool's checks may read refs and run the tool's code. */
export interface CheckPorts extends RefPorts, Pick<ExecutePorts, 'marksCalls'> {}

export type CheckRun = CallRun<CheckPorts> & CheckedInput & RefState
