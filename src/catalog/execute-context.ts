import type { ClientLink } from './client-link.js'
import type { NativeFacts } from './native.js'
import type { StopSignal } from '../platform/async/stop-signal.js'
import type { ToolProgress } from '../contract/objects/tool-progress.js'
import type { ToolResult } from '../contract/objects/tool-result.js'
import type { ToolcribArtifact } from '../contract/objects/toolcrib-artifact.js'
import type { ExplainedCall } from '../policy/explained-call.js'

/** A progress update of an executor; the rest of the record is filled in. */
export type ProgressUpdate = ProcessProgress &
  Partial<
    Pick<
      ToolProgress,
      | 'message'
      | 'percent'
      | 'current_step'
      | 'total_steps'
      | 'bytes_read'
      | 'bytes_written'
      | 'line_count'
      | 'task_id'
      | 'artifact_refs'
    >
  >

/** What tools that run a process may report about it; it goes into the record's `toolcrib`. */
export interface ProcessProgress {
  stdout_bytes?: number
  stderr_bytes?: number
  exit_code?: number
  timeout_ms?: number
  pid?: number
}

/** Where the program of a call runs. It becomes part of the call's record. */
export interface ExecutionEnvironment {
  /** The ids of the call in its own protocol, under the standard's names: for programs `command_id`, `cwd_ref`, … */
  readonly mapping: NativeFacts
  readonly sandbox: {
    /** The name of the profile that applies; `none` where the program runs without a sandbox. */
    readonly profile: string
    readonly kind?: string
    readonly version?: string
    /** Why this profile applies. */
    readonly reason: string
    readonly network?: readonly string[]
  }
}

/** Something that the sandbox of a call prevented. */
export interface SeenViolation {
  readonly kind: string
  /** One sentence. */
  readonly message: string
}

/** A question to the person who uses the agent. */
export interface InputRequest {
  message: string
  /** The schema of the answer. */
  schema?: Record<string, unknown>
}

export type InputAnswer =
  { action: 'accept'; content: unknown } | { action: 'decline' } | { action: 'cancel' }

/** A call that an executor makes. */
export interface InnerCall {
  name: string
  input?: unknown
  /** The id that the caller of the inner call gives it. */
  nativeCallId?: string
  timeoutMs?: number
  /** Ends the inner call before the outer one. */
  signal?: AbortSignal
}

/** What the caller of a tool may see. */
export interface CallerView {
  /**
   * What the rules would decide about a call of this caller, and why; undefined where the caller has no such tool.
   * Nothing runs.
   */
  explain(call: Pick<InnerCall, 'name' | 'input'>): ExplainedCall | undefined
  /** The artifacts of the caller's tenant, in the order of their creation. Removed ones are omitted. */
  artifacts(): AsyncIterable<ToolcribArtifact>
  /** The whole content of a ref, if the caller may read it: a text, parsed JSON or bytes. Rejects with a sentence. */
  content(ref: string): Promise<unknown>
}

/** What an executor gets besides its input. */
export interface ExecuteContext {
  readonly invocationId: string
  readonly toolId: string
  readonly nativeCallId: string | undefined
  readonly surfaceId: string
  readonly actor: string | undefined
  readonly session: string | undefined
  readonly tenant: string
  readonly workspace: string
  /** The client program of the call, where it accepts questions and notifications. */
  readonly client: ClientLink | undefined
  /** The facts by which the call was judged. */
  readonly facts: { readonly is_read_only: boolean; readonly is_open_world: boolean }
  /** Whether the caller does not wait and fetches the result later. */
  readonly inBackground: boolean
  /** The number of the attempt at this invocation: 1, 2, … */
  readonly attempt: number
  /** The same for every attempt at this invocation. */
  readonly idempotencyKey: string
  /** Aborted when the call is cancelled or this attempt times out. */
  readonly signal: AbortSignal
  /** Stops at the same time as `signal`, which takes longer to make than the rest of a call. */
  readonly stopSignal: StopSignal
  progress(update: ProgressUpdate | string): void
  /** Records where the program of this call runs, before it starts. */
  recordEnvironment(environment: ExecutionEnvironment): void
  /** Records something that the sandbox of this call prevented. */
  recordViolation(violation: SeenViolation): void
  /** Masks this text in everything that the call outputs from now on: a credential that the executor obtained. */
  hide(secret: string): void
  /** Waits for a person's answer; `cancel` when no person can be asked. */
  requestInput(request: InputRequest): Promise<InputAnswer>
  /**
   * Calls another tool of the caller's surface. It is a call of its own, with its own decision and record, and names
   * this one as its parent. It is canceled together with this one.
   */
  callTool(request: InnerCall): Promise<ToolResult>
  /** What the caller of this call may see. */
  readonly caller: CallerView
  /**
   * The path with links followed, as it was when the decision about this call was made. Undefined where the decision
   * did not look at the path.
   */
  judgedPath(path: string): string | undefined
  /**
   * Whether this call may touch a path that its input does not name: no deny, ask or protected path is about it. For
   * tools that go through folders. `real` is the path with links followed; absent, it is looked up.
   */
  mayTouch(path: string, access: 'read' | 'write', real?: string): boolean
  /** The limits of a result of this call. A tool that asks for them keeps to them: its result is not shortened. */
  resultLimits(): ResultLimits
}

/** How large a result may be before it is shortened. */
export interface ResultLimits {
  readonly maxChars: number
  readonly maxLines?: number
  readonly maxTokens?: number
}
