import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { ToolSchedulerPolicy } from '../../contract/objects/tool-scheduler-policy.js'
import type { AbortReason } from '../../contract/unions.js'
import { record } from '../../pipeline/record.js'
import type { PipelineRun } from '../../pipeline/ports.js'
import { timeLimit, type Deadline } from '../../pipeline/execute/deadlines.js'
import { BatchSlot } from '../../scheduling/batch-slot.js'
import { siblingsToCancel } from '../../scheduling/siblings-to-cancel.js'
import type { BatchContext, BatchItem, CallDraft } from './batch.js'
import { CallNames, type BatchCall } from './batch-calls.js'
import { mergeContext, type Member } from './batch-member.js'
import { recordBatch, type BatchRecord } from './batch-record.js'
import { BatchStream } from './batch-stream.js'
import { Draft } from './call-draft.js'
import { cancelRun, forceRun, interruptRun, type Call } from '../calls/call-handle.js'
import type { Surface } from '../surfaces/surface.js'
import type { BatchedCall } from '../calls/calls-module.js'
import type { BatchPorts } from './batch-ports.js'

/** The running calls of a batch. */
export class LiveBatch {
  readonly #ports: BatchPorts
  readonly #surface: Surface
  readonly #members: Member[] = []
  readonly #names = new CallNames()
  readonly #record: BatchRecord
  readonly #readers = new Set<BatchStream>()
  /** In the order of the calls. */
  readonly results: Promise<ToolResult[]>
  #resolve!: (results: ToolResult[]) => void
  #reject!: (error: unknown) => void
  #open = 0
  #isFinished = false
  /** Why no further call may start. */
  #stopped: AbortReason | undefined = undefined
  #isClosed = false
  #failure: { error: unknown } | undefined = undefined
  /** The call whose failure canceled all others. */
  #failedBy: BatchSlot | undefined = undefined
  readonly #toCancel: { cause: BatchSlot; other: Member }[] = []
  #isCanceling = false
  #interrupts = 0
  #deadline: Deadline | undefined = undefined

  constructor(ports: BatchPorts, surface: Surface) {
    this.#ports = ports
    this.#surface = surface
    this.results = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    const { turn, timeoutMs } = ports
    turn.listener = {
      onEnded: ({ index }, result) => this.#onEnded(this.#members[index]!, result),
      onHandedOver: ({ index }, result) => this.#onResult(this.#members[index]!, result),
      onBroken: ({ index }, error) => this.#onBroken(this.#members[index]!, error),
    }
    this.#record = recordBatch(ports, surface)
    if (timeoutMs !== undefined) {
      this.#deadline = timeLimit(timeoutMs, () => this.cancel('timeout'))
      ports.deadlines.set(this.#deadline)
    }
    // A caller that reads the stream, or single calls, need not handle the promise.
    this.results.catch(() => {})
    ports.closing.addEventListener('abort', this.#onClosing)
  }

  get batchId(): string {
    return this.#ports.batchId
  }

  get policy(): ToolSchedulerPolicy {
    return this.#ports.policy
  }

  get calls(): readonly Call[] {
    return this.#members.flatMap(({ call }) => call ?? [])
  }

  add(given: BatchCall): Call {
    return this.take(given, this.#check(given))
  }

  /** Adds a checked call, with the indexes of the calls that it depends on. */
  take(given: BatchCall, dependsOn: readonly number[]): Call {
    return this.#start(this.#batchSlot(dependsOn), given)
  }

  begin(given: Omit<BatchCall, 'input'>): CallDraft {
    if ('input' in given)
      throw new TypeError(
        'batch.begin takes a call without its input, which is appended; batch.add takes a whole one.',
      )
    const member = this.#batchSlot(this.#check(given))
    member.draft = new Draft((text) => this.#start(member, { ...given, input: text }))
    return member.draft
  }

  #check(given: BatchCall): readonly number[] {
    if (this.#isFinished) throw new TypeError('The batch is finished; open another for more calls.')
    return this.#names.take(this.#surface, given)
  }

  /** Gives a call its slot. From here on its dependencies and its order are known. */
  #batchSlot(dependsOn: readonly number[]): Member {
    const { turn } = this.#ports
    const batchSlot = new BatchSlot(turn, this.#members.length)
    const member: Member = {
      batchSlot,
      dependents: [],
      run: undefined,
      call: undefined,
      draft: undefined,
      ended: undefined,
      cause: undefined,
      isBackground: false,
      result: undefined,
    }
    for (const place of dependsOn.length < 2 ? dependsOn : new Set(dependsOn)) {
      const needed = this.#members[place]!
      if (needed.ended) {
        if (this.#takesAlong(needed.ended) !== 'none') member.cause ??= needed.batchSlot
        continue
      }
      needed.dependents.push(member)
      batchSlot.waitsFor++
    }
    this.#members.push(member)
    this.#open++
    return member
  }

  #start(member: Member, given: BatchCall): Call {
    const { batchSlot } = member
    const cause = this.#failedBy ?? member.cause
    if (cause) batchSlot.canceledBy = this.#idOf(cause)
    const canceled = this.#stopped ?? (cause && 'sibling_error')
    member.draft = undefined
    const onTaken = (run: PipelineRun): void => void (member.run = run)
    const call = this.#begin(given, { batchSlot, canceled, onTaken })
    member.call = call
    member.isBackground = given.runInBackground === true
    if (member.isBackground) void this.#takeReceipt(member, call)
    for (const reader of this.#readers)
      void reader.follow(call, batchSlot.index, { isBackground: member.isBackground })
    return call
  }

  /** An open batch is not finished when the crib closes. */
  readonly #onClosing = (): void => this.discard('runtime_shutdown')

  #begin(given: BatchCall, how: BatchedCall): Call {
    try {
      return this.#ports.begin(this.#surface, given, { batch: how })
    } catch (error) {
      // The call did not start: neither later calls nor the batch wait for it.
      how.batchSlot.leave()
      this.#onBroken(this.#members[how.batchSlot.index]!, error)
      throw error
    }
  }

  finish(): void {
    if (this.#isFinished) return
    this.#isFinished = true
    this.#ports.turn.isOpen = false
    for (const { draft } of this.#members) draft?.complete()
    for (const { batchSlot } of this.#members) batchSlot.release()
    for (const reader of this.#readers) reader.complete()
    this.#closeIfDone()
  }

  /** Ends all calls that have not ended. */
  discard(reason: AbortReason): void {
    if (this.#isFinished) return
    this.#isFinished = true
    // Calls that were held back stay so: the turn stays open until all of them are discarded.
    for (const { draft } of this.#members) draft?.complete()
    this.cancel(reason)
    this.#ports.turn.isOpen = false
    for (const reader of this.#readers) reader.complete()
    this.#closeIfDone()
  }

  interrupt(): void {
    this.#interrupts++
    this.#stopped ??= 'user_interruption'
    for (const { run, batchSlot } of this.#unfinished()) {
      if (this.#interrupts === 1) interruptRun(run, () => batchSlot.block())
      else forceRun(run)
    }
  }

  cancel(reason: AbortReason = 'user_interruption'): void {
    this.#stopped ??= reason
    for (const { run } of this.#unfinished()) cancelRun(run, reason)
  }

  *#unfinished(): Generator<{ run: PipelineRun; batchSlot: BatchSlot }> {
    for (const { run, batchSlot } of this.#members) if (run && !run.isOver) yield { run, batchSlot }
  }

  /** A call has its result. The other calls are canceled before any caller gets it. */
  #onEnded(member: Member, result: ToolResult): void {
    this.#cancelAll(member.batchSlot, this.#takenAlongBy(member, result))
    for (const other of member.dependents) other.batchSlot.settleOne()
    member.ended = result
    this.#yieldFrom(member)
  }

  #takesAlong(result: ToolResult): ReturnType<typeof siblingsToCancel> {
    return siblingsToCancel(this.policy.sibling_failure_policy ?? 'ignore', result)
  }

  /** The calls that the end of this one cancels. */
  #takenAlongBy(member: Member, result: ToolResult): readonly Member[] {
    const which = this.#takesAlong(result)
    if (which === 'none') return []
    if (which === 'dependents') return member.dependents
    this.#failedBy ??= member.batchSlot
    return this.#members
  }

  /**
   * Canceled calls may cancel others: processed one after the other, because a long chain would recurse without limit.
   */
  #cancelAll(cause: BatchSlot, others: readonly Member[]): void {
    for (const other of others) this.#toCancel.push({ cause, other })
    if (this.#isCanceling) return
    this.#isCanceling = true
    for (const next of this.#toCancel) this.#cancelFor(next.cause, next.other)
    this.#toCancel.length = 0
    this.#isCanceling = false
  }

  #cancelFor(cause: BatchSlot, other: Member): void {
    const { run, batchSlot } = other
    // A call whose arguments are still streaming is ended when they are complete.
    if (!run) other.cause ??= cause
    if (!run || run.isOver || run.cancelReason !== undefined) return
    batchSlot.canceledBy = this.#idOf(cause)
    cancelRun(run, 'sibling_error')
  }

  #idOf(batchSlot: BatchSlot): string {
    return this.#members[batchSlot.index]!.run!.row.invocationId
  }

  /** Hands over the available results, in the order of the calls if the policy requires it. */
  #yieldFrom(member: Member): void {
    const { turn } = this.#ports
    if (turn.isUnordered) return this.#yield(member)
    for (let next = this.#members[turn.nextYield]; next?.ended; next = this.#members[turn.nextYield]) {
      turn.nextYield++
      this.#yield(next)
    }
  }

  #yield({ batchSlot, run }: Member): void {
    if (batchSlot.isYielded) return
    batchSlot.isYielded = true
    record(run!, 'toolcrib.invocation.yielded', undefined, run!.at)
  }

  /** For the batch, the receipt of a background call counts as its result. */
  async #takeReceipt(member: Member, call: Call): Promise<void> {
    try {
      const receipt = await call
      member.batchSlot.detach()
      member.ended ??= receipt
      for (const other of member.dependents.splice(0)) other.batchSlot.settleOne()
      this.#yieldFrom(member)
      this.#onResult(member, receipt)
    } catch {
      // It failed before it had a receipt; the batch is notified as for every call.
    }
  }

  #onResult(member: Member, result: ToolResult): void {
    if (member.result) return
    member.result = result
    this.#open--
    this.#closeIfDone()
  }

  /** The call has no result in this process: its dependents do not wait for one. */
  #onBroken(member: Member, error: unknown): void {
    for (const other of member.dependents) other.batchSlot.settleOne()
    // A call in the background has returned its receipt.
    if (member.result) return
    this.#failure ??= { error }
    this.#open--
    this.#closeIfDone()
  }

  #closeIfDone(): void {
    if (this.#isClosed || !this.#isFinished || this.#open > 0) return
    this.#isClosed = true
    if (this.#deadline) this.#ports.deadlines.clear(this.#deadline)
    this.#ports.closing.removeEventListener('abort', this.#onClosing)
    this.#ports.turn.close()
    this.#record.close(this.#members)
    if (this.#failure) this.#reject(this.#failure.error)
    else this.#resolve(this.#members.map(({ result }) => result!))
  }

  async context(): Promise<BatchContext> {
    await this.results
    return mergeContext(this.#members)
  }

  async *read(): AsyncGenerator<BatchItem, void, void> {
    const { yield_policy: yields = 'progress_immediate_results_ordered' } = this.policy
    const reader = new BatchStream({ yields, isOrdered: !this.#ports.turn.isUnordered })
    this.#readers.add(reader)
    for (const { call, batchSlot, isBackground } of this.#members)
      if (call) void reader.follow(call, batchSlot.index, { isBackground })
    if (this.#isFinished) reader.complete()
    try {
      yield* reader.read()
    } finally {
      this.#readers.delete(reader)
    }
  }
}
