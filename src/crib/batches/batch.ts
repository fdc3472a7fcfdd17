import type { ToolEvent } from '../../contract/objects/tool-event.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { ToolSchedulerPolicy } from '../../contract/objects/tool-scheduler-policy.js'
import type { AbortReason } from '../../contract/unions.js'
import type { BatchCall } from './batch-calls.js'
import type { Call } from '../calls/call-handle.js'

/** Several calls under way: a promise of their results in the order of the calls, and a stream of what happens. */
export interface Batch extends Promise<ToolResult[]>, AsyncIterable<BatchItem> {
  readonly batchId: string
  /** The record that says how they run. */
  readonly policy: ToolSchedulerPolicy
  /** In the order in which they were asked for. */
  readonly calls: readonly Call[]
  /**
   * Somebody interrupts the turn. What has not started ends here, tools whose interrupt behavior is `cancel` are
   * stopped, the others run on and keep the session's next turn waiting. A second time, those are stopped too, and
   * nobody waits for a tool that does not stop.
   */
  interrupt(): void
  /** Asks every call to stop, whatever its tool says of interrupts. */
  cancel(reason?: AbortReason): void
  /** What the calls ask to have changed in the conversation's context, once all of them have ended. */
  context(): Promise<BatchContext>
}

/** A batch that calls are added to while the model still speaks. */
export interface OpenBatch extends Batch {
  /** Adds a call. What only reads may start at once; what has effects waits for `finish`. */
  add(call: BatchCall): Call
  /** Adds a call whose arguments are still coming. It keeps its place, and does not start before it is complete. */
  begin(call: Omit<BatchCall, 'input'>): CallDraft
  /** The model has finished well: all that was asked for may run. */
  finish(): Batch
  /** The model's answer is thrown away: what has not ended is discarded. */
  fallback(): Batch
}

/** A call whose arguments are still coming. */
export interface CallDraft {
  /** Adds a piece of the JSON text of the arguments. */
  append(text: string): void
  /** The arguments are complete. */
  complete(): Call
}

/** What the reader of a batch gets: facts as the yield policy lets them through, and each result in its turn. */
export type BatchItem =
  | { kind: 'event'; index: number; invocationId: string; event: ToolEvent }
  | { kind: 'result'; index: number; invocationId: string; result: ToolResult }

export interface BatchContext {
  /** The changes in the order of their calls, those that were taken and those that were put off alike. */
  modifiers: { invocationId: string; toolId: string; modifier: Readonly<Record<string, unknown>> }[]
  /** All of them in one object; where two name the same thing, the later call has it. */
  merged: Record<string, unknown>
}
