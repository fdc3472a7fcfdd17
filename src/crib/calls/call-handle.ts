import type { ToolEvent } from '../../contract/objects/tool-event.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import type { AbortReason, InvocationStatus } from '../../contract/unions.js'
import { completeChunk } from '../../storage/journal/complete-chunk.js'
import { completeEvent } from '../../storage/journal/complete-event.js'
import { eventAt, eventCount, type EventDraft } from '../../storage/event-list.js'
import type { LoggedChunk } from '../../storage/store.js'
import { abortError } from '../../pipeline/cancel-state.js'
import { record } from '../../pipeline/record.js'
import type { PipelineRun } from '../../pipeline/ports.js'

/**
 * A running call: a promise of its result, which never rejects for an expected failure, and a stream of its events. In
 * the background the promise is of a receipt; the result is found by its id.
 */
export interface Call<Output = unknown>
  extends Promise<ToolResult & { structured_content?: Output }>, AsyncIterable<ToolEvent> {
  readonly invocationId: string
  /** Asks the call to stop. It still ends with its one result, which may be a success that came first. */
  cancel(reason?: AbortReason): void
  /**
   * Interrupts: a tool with the interrupt behavior `block` runs on, any other call is canceled. A second interrupt
   * forces: the call is canceled, and a tool that has not stopped is abandoned.
   */
  interrupt(): void
  /**
   * The approval that the call waits for, once it waits and the approval is on disk; `undefined` if it ended without
   * one.
   */
  pending(): Promise<ToolcribApproval | undefined>
}

const RUN = Symbol('run')
/** The result of a background call, whose own promise gives a receipt. */
const RESULT = Symbol('result')

type OpenCall = Promise<ToolResult> & { [RUN]: PipelineRun; [RESULT]?: Promise<ToolResult> } & {
  -readonly [Key in keyof Call]?: Call[Key]
}

/** Extends the promise instead of wrapping it: awaiting a wrapper is slower. */
export function toCall(given: Promise<ToolResult>, run: PipelineRun, result?: Promise<ToolResult>): Call {
  const call = given as OpenCall
  if (result) call[RESULT] = result
  call[RUN] = run
  call.invocationId = run.row.invocationId
  call.cancel = cancel
  call.interrupt = interrupt
  call.pending = pending
  call[Symbol.asyncIterator] = iterate
  return call as unknown as Call
}

/** What was decided about a call, and by which source; `undefined` if there was no decision. */
export function decisionAbout(call: Call): { behavior: string; source: string } | undefined {
  const { decided } = (call as unknown as OpenCall)[RUN]
  return decided && { behavior: decided.behavior, source: decided.source ?? 'toolcrib.decider' }
}

function cancel(this: unknown, reason: AbortReason = 'user_interruption'): void {
  cancelRun((this as OpenCall)[RUN], reason)
}

function interrupt(this: unknown): void {
  const run = (this as OpenCall)[RUN]
  if (run.isInterrupted) forceRun(run)
  else interruptRun(run)
}

function pending(this: unknown): Promise<ToolcribApproval | undefined> {
  const call = this as OpenCall
  return pendingOf(call[RUN], call[RESULT] ?? call)
}

// Callbacks instead of awaits: a gateway asks this about every call, and most never wait.
function pendingOf(run: PipelineRun, result: Promise<ToolResult>): Promise<ToolcribApproval | undefined> {
  return new Promise((resolve, reject) => {
    const end = (): void => resolve(undefined)
    result.then(end, end)
    const look = (): void => {
      const { approval } = run
      if (!approval) return void (run.onAsk ??= new Set()).add(look)
      Promise.race([approval.isStored, approval.outcome]).then(() => {
        if (run.approval !== approval) return look()
        if (approval.approval.status === 'pending') resolve(approval.approval)
        else (run.onAsk ??= new Set()).add(look)
      }, reject)
    }
    if (!run.isOver) look()
  })
}

function iterate(this: unknown): AsyncIterator<ToolEvent> {
  const call = this as OpenCall
  return streamOf(call[RUN], call[RESULT] ?? call)
}

export function cancelRun(run: PipelineRun, reason: AbortReason): void {
  if (run.row.owner === undefined || run.cancelReason !== undefined) return
  run.cancelReason = reason
  run.controller?.abort(abortError(reason))
  record(run, 'toolcrib.invocation.cancel_requested', { abort_reason: reason })
  run.wait?.cancel()
}

/** A second interrupt: the call is canceled, and a tool that has not stopped is abandoned. */
export function forceRun(run: PipelineRun): void {
  if (run.cancelReason !== undefined) return run.wait?.force?.()
  cancelRun(run, 'user_interruption')
  // Wait one turn of the event loop, so that a tool that reacts to its signal is not recorded as unresponsive.
  setImmediate(() => run.isOver || run.wait?.force?.())
}

const AT_WORK: ReadonlySet<string> = new Set<InvocationStatus>([
  'running',
  'needs_input',
  'partial_result',
  'post_hooks_running',
])

/** Interrupts a call. If it runs on, `onBlock` is called. */
export function interruptRun(run: PipelineRun, onBlock?: () => void): void {
  run.isInterrupted = true
  const behavior = run.tool?.draft.execution.interruptBehavior ?? run.slot?.interruptBehavior ?? 'block'
  if (behavior === 'block' && AT_WORK.has(run.row.status)) onBlock?.()
  else cancelRun(run, 'user_interruption')
}

/** The events so far, then each new event, until the result. */
async function* streamOf(
  run: PipelineRun,
  result: Promise<ToolResult>,
): AsyncGenerator<ToolEvent, void, void> {
  const { tenant, invocationId } = run.row
  const pending: { draft: EventDraft; sequence: number }[] = []
  for (let index = 0; index < eventCount(run.events); index++) {
    pending.push({
      draft: eventAt(run.events, index, run.row.createdAt),
      sequence: run.handedOver + index + 1,
    })
  }
  const missed = run.handedOver
  let sequence = missed + pending.length
  let wake: (() => void) | undefined
  let isDone = false
  const listen = (draft: EventDraft): void => {
    pending.push({ draft, sequence: ++sequence })
    wake?.()
  }
  run.listeners ??= new Set()
  run.listeners.add(listen)
  const finish = (): void => {
    isDone = true
    wake?.()
  }
  result.then(finish, finish)
  try {
    if (missed > 0)
      yield* alreadyWritten(await run.ports.journal.store.readStream(tenant, invocationId), missed)
    for (;;) {
      for (const { draft, sequence: at } of pending.splice(0)) {
        yield completeEvent({ stream: invocationId, call: run.row }, draft, { sequence: at })
      }
      if (pending.length > 0) continue
      if (isDone) return
      await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    run.listeners.delete(listen)
  }
}

/** Events that were stored before the reader came. */
function* alreadyWritten(chunks: readonly LoggedChunk[], upTo: number): Generator<ToolEvent, void, void> {
  for (const chunk of chunks) {
    for (const event of completeChunk(chunk)) {
      if (Number(event.toolcrib?.['sequence']) > upTo) return
      yield event
    }
  }
}
