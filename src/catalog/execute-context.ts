import type { ClientLink } from './client-link.js'
import type { ToolProgress } from '../contract/objects/tool-progress.js'

/** What an executor may say while it works; the rest of the record is filled in. */
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

/** What tools that run a process may say of it; it stands in the record's `toolcrib`. */
export interface ProcessProgress {
  stdout_bytes?: number
  stderr_bytes?: number
  exit_code?: number
  timeout_ms?: number
  pid?: number
}

/** A question to whoever sits in front of the agent. */
export interface InputRequest {
  message: string
  /** What the answer must look like. */
  schema?: Record<string, unknown>
}

export type InputAnswer =
  { action: 'accept'; content: unknown } | { action: 'decline' } | { action: 'cancel' }

/** All that an executor gets besides its input. */
export interface ExecuteContext {
  readonly invocationId: string
  readonly toolId: string
  readonly nativeCallId: string | undefined
  readonly surfaceId: string
  readonly actor: string | undefined
  readonly session: string | undefined
  readonly tenant: string
  readonly workspace: string
  /** The program at the other end of the call, where it can be asked and told things. */
  readonly client: ClientLink | undefined
  /** Whether the caller has gone on and looks for the result later. */
  readonly inBackground: boolean
  /** Which attempt at this invocation it is: 1, 2, … */
  readonly attempt: number
  /** The same for every attempt at this invocation. */
  readonly idempotencyKey: string
  /** Aborted when the call is canceled or this attempt is out of time. */
  readonly signal: AbortSignal
  progress(update: ProgressUpdate | string): void
  /** From now on this text is taken out of whatever the call says: a credential that the executor came by. */
  hide(secret: string): void
  /** Waits for a person's answer; `cancel` when there is no one to ask. */
  requestInput(request: InputRequest): Promise<InputAnswer>
}
