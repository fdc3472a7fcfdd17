import type { CallRun, RecordState } from '../call-run.js'
import type { CancelState } from '../cancel-state.js'
import type { RefState } from '../refs/held-refs.js'
import type { AttemptState } from './attempt-state.js'
import type { InnerCall, InputAnswer, InputRequest } from '../../catalog/execute-context.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { ParentCall } from '../call-state.js'
import type { ClientLink } from '../../catalog/client-link.js'
import type { Retries } from '../../catalog/retries.js'
import type { Approver } from '../../policy/decision.js'
import type { ExplainedCall, ExplainOptions } from '../../policy/explained-call.js'
import type { Artifacts } from '../../results/artifacts/artifacts.js'
import type { Payloads } from '../../results/payloads/payloads.js'
import type { BuiltSurface } from '../../surfaces/build-surface.js'
import type { Discovery } from '../discovery.js'
import type { MaskPorts } from '../map-result/mask-ports.js'
import type { SizePorts } from '../persist-result/persist-ports.js'
import type { ProgressPorts } from '../progress/progress-ports.js'
import type { RefPorts } from '../refs/ref-ports.js'

/** A call that an executor makes, and the call that it runs in. */
export interface InnerCallRequest extends InnerCall {
  readonly parent: ParentCall
  readonly surfaceId: string
  readonly surface: BuiltSurface
  readonly client: ClientLink | undefined
  readonly approver: Approver | undefined
}

export interface ExecutePorts extends RefPorts, ProgressPorts, SizePorts, MaskPorts {
  readonly responder: ((request: InputRequest & { invocationId: string }) => Promise<InputAnswer>) | undefined
  /** Whether the code of a tool must be recognized as such, because it must not approve calls. */
  readonly marksCalls?: boolean | undefined
  /** Called before the code of a tool runs: processes that it starts belong to the tool. */
  readonly onToolCode?: (() => void) | undefined
  /** From 0 up to 1: spreads the waits between attempts. */
  random(): number
  /** For tools and calls that set none. */
  readonly defaultRetries: Retries | undefined
  readonly payloads: Payloads
  readonly artifacts: Artifacts
  readonly discovery: Discovery
  /** Starts a call that an executor makes. */
  startInnerCall(request: InnerCallRequest): { invocationId: string; result: Promise<ToolResult> }
  /** What the rules would decide about a call. Nothing runs. */
  explain(call: ExplainOptions): ExplainedCall
  /** How long a canceled executor may take to stop before the call ends without it. */
  readonly cancelGraceMs: number
}

export type ExecuteRun = CallRun<ExecutePorts> & AttemptState & CancelState & RecordState & RefState
