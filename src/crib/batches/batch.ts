import type { ToolEvent } from '../../contract/objects/tool-event.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { ToolSchedulerPolicy } from '../../contract/objects/tool-scheduler-policy.js'
import type { AbortReason } from '../../contract/unions.js'
import type { BatchCall } from './batch-calls.js'
import type { Call } from '../calls/call-handle.js'

/** Several running calls: a promise of their results in the order of the calls, and a stream of what happens. */
export interface Batch extends Promise<ToolResult[]>, AsyncIterable<BatchItem> {
  readonly batchId: string
  /** The recorded policy. */
  readonly policy: ToolSchedulerPolicy
  /** In the order in which they were requested. */
  readonly calls: readonly Call[]
  /**
   * Interrupts the turn. Calls that have not started end, tools with the interrupt behavior `cancel` are stopped, and
   * the others run on and delay the session's next turn. A second interrupt stops those too, and does not wait for a
   * tool that does not stop.
   */
  interrupt(): void
  /** Asks every call to stop, whatever its interrupt behavior. */
  cancel(reason?: AbortReason): void
  /** The context changes that the calls request, once all of them have ended. */
  context(): Promise<BatchContext>
}

/** A batch that accepts calls while the model is still streaming. */
export interface OpenBatch extends Batch {
  /** Adds a call. A read-only call may start immediately; a call with side effects waits for `finish`. */
  add(call: BatchCall): Call
  /** Adds a call whose arguments are still streaming. It keeps its slot and starts only after it is complete. */
  begin(call: Omit<BatchCall, 'input'>): CallDraft
  /** The model has finished: all calls may run. */
  finish(): Batch
  /** The model's answer is discarded: calls that have not ended are discarded too. */
  fallback(): Batch
}

/** A call whose arguments are still streaming. */
export interface CallDraft {
  /** Adds a piece of the JSON text of the arguments. */
  append(text: string): void
  /** The arguments are complete. */
  complete(): Call
}

/** What a reader of a batch gets: events as the yield policy allows, and each result in its turn. */
export type BatchItem =
  | { kind: 'event'; index: number; invocationId: string; event: ToolEvent }
  | { kind: 'result'; index: number; invocationId: string; result: ToolResult }

export interface BatchContext {
  /** The changes in the order of their calls, both applied and deferred ones. */
  modifiers: { invocationId: string; toolId: string; modifier: Readonly<Record<string, unknown>> }[]
  /** All of them merged; if two name the same key, the later call wins. */
  merged: Record<string, unknown>
}
