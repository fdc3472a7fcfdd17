import type { ToolEvent } from '../../contract/objects/tool-event.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import type { AbortReason, InvocationStatus } from '../../contract/unions.js'
import { completeChunk } from '../../storage/journal/complete-chunk.js'
import { completeEvent } from '../../storage/journal/complete-event.js'
import { eventAt, eventCount, type EventDraft } from '../../storage/event-list.js'
import type { LoggedChunk } from '../../storage/store.js'
import { abortError, record, type CallRun } from '../../pipeline/call-run.js'

/**
 * One call under way: a promise of its result, which never rejects for an expected failure, and a stream of its events.
 * In the background the promise is of a receipt; the result is found by its id.
 */
export interface Call<Output = unknown>
  extends Promise<ToolResult & { structured_content?: Output }>, AsyncIterable<ToolEvent> {
  readonly invocationId: string
  /** Asks the call to stop; it still ends with its one result, which may be a success that came first. */
  cancel(reason?: AbortReason): void
  /**
   * Somebody interrupts: a tool whose interrupt behavior is `block` runs on, any other call is canceled. A second time
   * forces: what ran on is canceled, and what was asked to stop and has not is given up.
   */
  interrupt(): void
  /** The question that the call waits for, as soon as it does and that is on disk; nothing when it ended without. */
  pending(): Promise<ToolcribApproval | undefined>
}

const RUN = Symbol('run')
/** Of a call in the background, whose own promise gives a receipt. */
const RESULT = Symbol('result')

type OpenCall = Promise<ToolResult> & { [RUN]: CallRun; [RESULT]?: Promise<ToolResult> } & {
  -readonly [Key in keyof Call]?: Call[Key]
}

/** Adds to the promise rather than wrapping it: awaiting a wrapper takes longer than making it. */
export function toCall(given: Promise<ToolResult>, run: CallRun, result?: Promise<ToolResult>): Call {
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

/** What was decided about a call, and whose word it was; nothing where it never came to that. */
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

async function pendingOf(run: CallRun, result: Promise<ToolResult>): Promise<ToolcribApproval | undefined> {
  let isDone = run.isOver
  const ended = result.then(
    () => void (isDone = true),
    () => void (isDone = true),
  )
  while (!isDone) {
    const { approval } = run
    if (approval) {
      await Promise.race([approval.isKept, approval.outcome, ended])
      if (run.approval === approval && approval.approval.status === 'pending') return approval.approval
    }
    await Promise.race([nextAsk(run), ended])
  }
  return undefined
}

/** Resolves when the call asks; the question is on the run by then. */
function nextAsk(run: CallRun): Promise<void> {
  return new Promise((resolve) => {
    run.onAsk ??= new Set()
    run.onAsk.add(resolve)
  })
}

function iterate(this: unknown): AsyncIterator<ToolEvent> {
  const call = this as OpenCall
  return streamOf(call[RUN], call[RESULT] ?? call)
}

export function cancelRun(run: CallRun, reason: AbortReason): void {
  if (run.row.owner === undefined || run.cancelReason !== undefined) return
  run.cancelReason = reason
  run.controller?.abort(abortError(reason))
  record(run, 'toolcrib.invocation.cancel_requested', { abort_reason: reason })
  run.wait?.cancel()
}

/** A second interrupt: what ran on is canceled, and what was asked to stop and has not is given up. */
export function forceRun(run: CallRun): void {
  if (run.cancelReason !== undefined) return run.wait?.force?.()
  cancelRun(run, 'user_interruption')
  // One turn of the event loop, so that a tool that does listen is not said to be deaf.
  setImmediate(() => run.isOver || run.wait?.force?.())
}

const AT_WORK: ReadonlySet<string> = new Set<InvocationStatus>([
  'running',
  'needs_input',
  'partial_result',
  'post_hooks_running',
])

/** What an interrupt does to a call; where it runs on, whoever waits for its end is told. */
export function interruptRun(run: CallRun, onBlock?: () => void): void {
  run.isInterrupted = true
  const behavior = run.tool?.draft.execution.interruptBehavior ?? run.slot?.interruptBehavior ?? 'block'
  if (behavior === 'block' && AT_WORK.has(run.row.status)) onBlock?.()
  else cancelRun(run, 'user_interruption')
}

/** The events so far, then each as it happens, until the result is there. */
async function* streamOf(run: CallRun, result: Promise<ToolResult>): AsyncGenerator<ToolEvent, void, void> {
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

/** What the store took before the reader came. */
function* alreadyWritten(chunks: readonly LoggedChunk[], upTo: number): Generator<ToolEvent, void, void> {
  for (const chunk of chunks) {
    for (const event of completeChunk(chunk)) {
      if (Number(event.toolcrib?.['sequence']) > upTo) return
      yield event
    }
  }
}
