import type { ToolInvocation } from '../../contract/objects/tool-invocation.js'
import type { ToolProgress } from '../../contract/objects/tool-progress.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { AbortReason, InvocationStatus } from '../../contract/unions.js'
import type { ProgressQuery } from './follow-progress.js'

/**
 * The outcome of a cancel request. `requested`: the owner was asked, and the call still ends with its one result.
 * `ended`: the call has ended, possibly because its process is gone. `unknown`: there is no such call.
 */
export type CancelOutcome = 'requested' | 'ended' | 'unknown'

/** A call by its id, in any process. */
export interface Task {
  readonly invocationId: string
  /** `undefined` if there is no such call. */
  status(): Promise<InvocationStatus | undefined>
  progress(query?: Omit<ProgressQuery, 'tenant'>): AsyncIterable<ToolProgress>
  /** Waits for the result. Rejects if there is no such call, or if the signal is aborted or the crib is closed first. */
  result(options?: { signal?: AbortSignal }): Promise<ToolResult>
  cancel(reason?: AbortReason): Promise<CancelOutcome>
}

/** A call without a result, and its owner. */
export interface OpenTask {
  invocation: ToolInvocation
  /** The last known progress. */
  progress: ToolProgress | undefined
  owner: { id: string; host: string | undefined; pid: number | undefined }
}
