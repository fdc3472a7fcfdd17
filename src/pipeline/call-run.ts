import type { ClientLink } from '../catalog/client-link.js'
import type { Approver } from '../policy/decision.js'
import type { Redactor } from '../redaction/redactor.js'
import type { EventDraft } from '../storage/event-list.js'
import type { CallEntry, Journal } from '../storage/journal/journal.js'
import type { CancelState } from './cancel-state.js'
import type { CheckedInput } from './check-input/checked-input.js'
import type { AttemptState } from './execute/attempt-state.js'
import type { HookState } from './hooks/hook-state.js'
import type { RecordedInput } from './input/recorded-input.js'
import type { MappedState } from './map-result/mapped-state.js'
import type { PermissionState } from './permission/permission-state.js'
import type { RefState } from './refs/held-refs.js'
import type { ResolvedTool } from './resolve-tool/resolved-tool.js'
import type { ScheduleState } from './schedule/schedule-state.js'
import type { Cleaned } from './secrets/clean.js'

/** The ports of every phase. A phase that uses more names them: `CallRun<HookPorts>`. */
export interface RunPorts {
  readonly journal: Journal
  /** Stores the definition behind a ref in a record, together with the record. */
  keepDefinition(ref: string, read: () => object): void
  now(): number
  readonly workspace: string
  /** Removes only known secrets, by exact match. */
  readonly exactRedactor: Redactor
  /** Aborted when the crib is about to close. */
  readonly closing: AbortSignal
  isClosing(): boolean
}

/** Changed whenever something is recorded. */
export interface RecordState {
  /** When the call last resumed. All events until its next wait share this time. */
  at: number
}

/** Changed by the last phase, and by readers of the call. */
export interface StreamState {
  /** The call has its terminal result. */
  isOver: boolean
  /** Readers of the call as a stream. */
  listeners?: Set<(draft: EventDraft) => void> | undefined
}

/**
 * The running side of one call: everything about it that cannot be stored. A function may change a part of it only if
 * its signature names that part's type: `CallRun & ScheduleState` may change the schedule, and nothing else.
 */
export interface CallRun<Ports extends RunPorts = RunPorts>
  extends
    CallEntry,
    Readonly<Cleaned>,
    Readonly<RecordState>,
    Readonly<StreamState>,
    Readonly<ResolvedTool>,
    Readonly<CheckedInput>,
    Readonly<RecordedInput>,
    Readonly<RefState>,
    Readonly<PermissionState>,
    Readonly<ScheduleState>,
    Readonly<AttemptState>,
    Readonly<MappedState>,
    Readonly<HookState>,
    Readonly<CancelState> {
  readonly ports: Ports
  /** The caller's program, if it can answer requests. Never recorded. */
  readonly client: ClientLink | undefined
  /** Receives the approval requests of this call in this process. */
  readonly approver: Approver | undefined
}
