import type { ToolInvocation } from '../../contract/objects/tool-invocation.js'
import type { ToolProgress } from '../../contract/objects/tool-progress.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { AbortReason, InvocationStatus } from '../../contract/unions.js'
import type { ProgressQuery } from './follow-progress.js'

/**
 * What became of asking a call to stop: whoever runs it was told, and it still ends with its one result; it had ended
 * already, or has now, for the process that ran it is gone; or there is no such call.
 */
export type CancelOutcome = 'requested' | 'ended' | 'unknown'

/** One call by its id, in whatever process it runs. */
export interface Task {
  readonly invocationId: string
  /** Nothing when there is no such call. */
  status(): Promise<InvocationStatus | undefined>
  progress(query?: Omit<ProgressQuery, 'tenant'>): AsyncIterable<ToolProgress>
  /** Waits for it. Rejects where there is no such call, or when the signal is aborted or the crib is closed first. */
  result(options?: { signal?: AbortSignal }): Promise<ToolResult>
  cancel(reason?: AbortReason): Promise<CancelOutcome>
}

/** A call that has no result yet, and who runs it. */
export interface OpenTask {
  invocation: ToolInvocation
  /** The last that is known. */
  progress: ToolProgress | undefined
  owner: { id: string; host: string | undefined; pid: number | undefined }
}
