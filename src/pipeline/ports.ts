import type { Approver } from '../policy/decision.js'
import type { Redactor } from '../redaction/redactor.js'
import type { SurfaceRequest } from '../surfaces/surface-request.js'
import type { CallRun, RecordState, RunPorts, StreamState } from './call-run.js'
import type { CancelState } from './cancel-state.js'
import type { CheckedInput } from './check-input/checked-input.js'
import type { AttemptState } from './execute/attempt-state.js'
import type { ExecutePorts } from './execute/execute-ports.js'
import type { HookPorts } from './hooks/hook-ports.js'
import type { HookState } from './hooks/hook-state.js'
import type { RecordedInput } from './input/recorded-input.js'
import type { MappedState } from './map-result/mapped-state.js'
import type { MaskPorts } from './map-result/mask-ports.js'
import type { PermissionPorts } from './permission/permission-ports.js'
import type { PermissionState } from './permission/permission-state.js'
import type { PersistPorts } from './persist-result/persist-ports.js'
import type { RefState } from './refs/held-refs.js'
import type { RefPorts } from './refs/ref-ports.js'
import type { ResolvedTool } from './resolve-tool/resolved-tool.js'
import type { ResolvePorts } from './resolve-tool/resolve-ports.js'
import type { SchedulePorts } from './schedule/schedule-ports.js'
import type { ScheduleState } from './schedule/schedule-state.js'
import type { Cleaned } from './secrets/clean.js'

/** The ports of all phases, shared by all calls of a crib. A test can replace each of them. */
export interface PipelinePorts
  extends
    RunPorts,
    ResolvePorts,
    RefPorts,
    HookPorts,
    PermissionPorts,
    SchedulePorts,
    ExecutePorts,
    MaskPorts,
    PersistPorts {
  readonly approver: Approver | undefined
  /** Redacts as the crib's options say. */
  readonly redactor: Redactor
  /** Redacts as a surface requests. */
  redactorFor(request: SurfaceRequest): Redactor
}

/** A call as the crib and the runner hold it: with the ports of all phases, and every part writable. */
export type PipelineRun = CallRun<PipelinePorts> &
  Cleaned &
  RecordState &
  StreamState &
  ResolvedTool &
  CheckedInput &
  RecordedInput &
  RefState &
  PermissionState &
  ScheduleState &
  AttemptState &
  MappedState &
  HookState &
  CancelState
