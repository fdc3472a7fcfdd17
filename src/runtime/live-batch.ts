import type { ToolResult } from '../foundation/contract/objects/tool-result.js'
import type { ToolSchedulerPolicy } from '../foundation/contract/objects/tool-scheduler-policy.js'
import type { AbortReason } from '../foundation/contract/unions.js'
import type { Journal, StreamEntry } from '../foundation/events/journal.js'
import { record, type CallRun } from '../calls/pipeline/call-run.js'
import { Seat } from '../calls/schedule/seat.js'
import { siblingsToCancel } from '../calls/schedule/siblings-to-cancel.js'
import type { Turn } from '../calls/schedule/turn.js'
import type { BatchContext, BatchItem, CallDraft, OpenBatch } from './batch.js'
import { CallNames, type BatchCall } from './batch-calls.js'
import { BatchStream } from './batch-stream.js'
import { cancelRun, forceRun, interruptRun, type Call } from './call-handle.js'
import type { CallOptions } from './start-call.js'
import type { Surface } from './surface.js'

/** What a batch needs of its crib. */
export interface BatchWorld {
  batchId: string
  policy: ToolSchedulerPolicy
  turn: Turn
  journal: Journal
  now: () => number
  timeoutMs: number | undefined
  /** Starts a call that has this seat. */
  begin(
    surface: Surface,
    options: CallOptions,
    how: {
      seat: Seat
      /** It is not to start at all. */
      canceled: AbortReason | undefined
      /** Told before it starts: it may end at once. */
      onTaken(run: CallRun): void
    },
  ): Call
}

/** One call of the batch, from the moment at which its place is known. */
interface Member {
  readonly seat: Seat
  /** Those that wait for it. */
  readonly dependents: Member[]
  /** Absent while its arguments are still coming. */
  run: CallRun | undefined
  call: Call | undefined
  draft: Draft | undefined
  /** Its result is in the record; whoever called is told once that is as durable as it has to be. */
  hasEnded: boolean
  result: ToolResult | undefined
}

/** Several calls under way. */
export class LiveBatch implements OpenBatch {
  readonly [Symbol.toStringTag] = 'Batch'
  readonly #world: BatchWorld
  readonly #surface: Surface
  readonly #members: Member[] = []
  readonly #names = new CallNames()
  readonly #stream: StreamEntry
  readonly #readers = new Set<BatchStream>()
  readonly #results: Promise<ToolResult[]>
  #resolve!: (results: ToolResult[]) => void
  #reject!: (error: unknown) => void
  #open = 0
  #isFinished = false
  #isDiscarded = false
  #isClosed = false
  #failure: { error: unknown } | undefined = undefined
  /** The call whose failure ended the batch for all others. */
  #failedBy: Seat | undefined = undefined
  #interrupts = 0
  #timer: NodeJS.Timeout | undefined = undefined

  constructor(world: BatchWorld, surface: Surface) {
    this.#world = world
    this.#surface = surface
    this.#results = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    const { turn, policy, batchId, timeoutMs } = world
    turn.listener = {
      onEnded: ({ index }, result) => this.#onEnded(this.#members[index]!, result),
      onHandedOver: ({ index }, result) => this.#onResult(this.#members[index]!, result),
      onBroken: (_seat, error) => this.#onBroken(error),
    }
    this.#stream = { tenant: surface.request.tenant!, stream: batchId, sequence: 0 }
    this.#tell('toolcrib.batch.opened', { surface_id: surface.id, policy })
    if (timeoutMs !== undefined) this.#timer = setTimeout(() => this.cancel('timeout'), timeoutMs)
  }

  get batchId(): string {
    return this.#world.batchId
  }

  get policy(): ToolSchedulerPolicy {
    return this.#world.policy
  }

  get calls(): readonly Call[] {
    return this.#members.flatMap(({ call }) => call ?? [])
  }

  add(given: BatchCall): Call {
    return this.take(given, this.#check(given))
  }

  /** Adds a call that has been checked, with the places of those it depends on. */
  take(given: BatchCall, dependsOn: readonly number[]): Call {
    return this.#start(this.#seat(dependsOn), given)
  }

  begin(given: Omit<BatchCall, 'input'>): CallDraft {
    const member = this.#seat(this.#check(given))
    member.draft = new Draft((text) => this.#start(member, { ...given, input: text }))
    return member.draft
  }

  #check(given: BatchCall): readonly number[] {
    if (this.#isFinished) throw new TypeError('The batch is finished; open another for more calls.')
    return this.#names.take(this.#surface, given)
  }

  /** Gives a call its place. What it depends on, and what was asked for before it, is known from here on. */
  #seat(dependsOn: readonly number[]): Member {
    const { turn } = this.#world
    const seat = new Seat(turn, this.#members.length)
    const member: Member = {
      seat,
      dependents: [],
      run: undefined,
      call: undefined,
      draft: undefined,
      hasEnded: false,
      result: undefined,
    }
    for (const place of dependsOn.length < 2 ? dependsOn : new Set(dependsOn)) {
      const needed = this.#members[place]!
      if (needed.hasEnded) continue
      needed.dependents.push(member)
      seat.waitsFor++
    }
    this.#members.push(member)
    this.#open++
    return member
  }

  #start(member: Member, given: BatchCall): Call {
    const { seat } = member
    if (this.#failedBy) seat.canceledBy = this.#idOf(this.#failedBy)
    const canceled = this.#isDiscarded ? 'fallback' : this.#failedBy && 'sibling_error'
    member.draft = undefined
    const onTaken = (run: CallRun): void => void (member.run = run)
    const call = this.#world.begin(this.#surface, given, { seat, canceled, onTaken })
    member.call = call
    // What it gives at once is not its result, but the receipt for it.
    if (given.runInBackground)
      call.then(
        (receipt) => this.#onResult(member, receipt),
        () => {},
      )
    for (const reader of this.#readers) void reader.follow(call, seat.index)
    return call
  }

  finish(): this {
    if (this.#isFinished) return this
    this.#isFinished = true
    this.#world.turn.isOpen = false
    for (const { draft } of this.#members) draft?.complete()
    for (const { seat } of this.#members) seat.release()
    for (const reader of this.#readers) reader.complete()
    this.#closeIfDone()
    return this
  }

  fallback(): this {
    if (this.#isFinished) return this
    this.#isFinished = true
    this.#isDiscarded = true
    // Nothing is let go that was held back: the turn stays open until all of it is discarded.
    for (const { draft } of this.#members) draft?.complete()
    this.cancel('fallback')
    this.#world.turn.isOpen = false
    for (const reader of this.#readers) reader.complete()
    this.#closeIfDone()
    return this
  }

  interrupt(): void {
    this.#interrupts++
    for (const { run, seat } of this.#unfinished()) {
      if (this.#interrupts === 1) interruptRun(run, () => seat.block())
      else forceRun(run)
    }
  }

  cancel(reason: AbortReason = 'user_interruption'): void {
    for (const { run } of this.#unfinished()) cancelRun(run, reason)
  }

  *#unfinished(): Generator<{ run: CallRun; seat: Seat }> {
    for (const { run, seat } of this.#members) if (run && !run.isOver) yield { run, seat }
  }

  /** A call has its result; what that does to the others is done before anyone is told. */
  #onEnded(member: Member, result: ToolResult): void {
    const { siblings, isSibling } = this.#touchedBy(member, result)
    for (const other of siblings) if (isSibling) this.#cancelFor(member.seat, other)
    for (const other of member.dependents) other.seat.settleOne()
    member.hasEnded = true
    this.#yieldFrom(member)
  }

  #touchedBy(member: Member, result: ToolResult): { siblings: readonly Member[]; isSibling: boolean } {
    const touched = siblingsToCancel(this.policy.sibling_failure_policy ?? 'ignore', result)
    if (touched === 'all') this.#failedBy ??= member.seat
    const siblings = touched === 'all' ? this.#members : touched === 'dependents' ? member.dependents : []
    return { siblings: siblings.filter((other) => other !== member), isSibling: touched !== 'none' }
  }

  #cancelFor(cause: Seat, { run, seat }: Member): void {
    if (!run || run.isOver || run.cancelReason !== undefined) return
    seat.canceledBy = this.#idOf(cause)
    cancelRun(run, 'sibling_error')
  }

  #idOf(seat: Seat): string {
    return this.#members[seat.index]!.run!.row.invocationId
  }

  /** Hands on what is there, in the order of the calls where the policy keeps it. */
  #yieldFrom(member: Member): void {
    const { turn } = this.#world
    if (turn.isUnordered) return this.#yield(member)
    for (let next = this.#members[turn.nextYield]; next?.hasEnded; next = this.#members[turn.nextYield]) {
      turn.nextYield++
      this.#yield(next)
    }
  }

  #yield({ seat, run }: Member): void {
    if (seat.isYielded) return
    seat.isYielded = true
    record(run!, 'toolcrib.invocation.yielded', undefined, run!.at)
  }

  #onResult(member: Member, result: ToolResult): void {
    if (member.result) return
    member.result = result
    this.#open--
    this.#closeIfDone()
  }

  #onBroken(error: unknown): void {
    this.#failure ??= { error }
    this.#open--
    this.#closeIfDone()
  }

  #closeIfDone(): void {
    if (this.#isClosed || !this.#isFinished || this.#open > 0) return
    this.#isClosed = true
    clearTimeout(this.#timer)
    const { modifiers } = this.#contextNow()
    this.#tell('toolcrib.batch.closed', {
      calls: this.#members.map(({ run, result }) => ({
        invocation_id: run!.row.invocationId,
        status: result?.status,
      })),
      ...(modifiers.length > 0 && { context_modifiers: modifiers.map(({ invocationId }) => invocationId) }),
    })
    if (this.#failure) this.#reject(this.#failure.error)
    else this.#resolve(this.#members.map(({ result }) => result!))
  }

  #tell(type: 'toolcrib.batch.opened' | 'toolcrib.batch.closed', data: object): void {
    const { journal, policy, now } = this.#world
    const { tenant } = this.#stream
    const at = now()
    const kept = {
      tenant,
      kind: 'scheduler_policy',
      id: policy.scheduler_policy_id,
      updatedAt: at,
      value: policy,
    }
    journal.append(this.#stream, [{ type, at, data }], type === 'toolcrib.batch.opened' ? [kept] : [])
  }

  async context(): Promise<BatchContext> {
    await this.#results
    return this.#contextNow()
  }

  /** In the order of the calls, whatever the order in which they ended. */
  #contextNow(): BatchContext {
    const modifiers = this.#members.flatMap(({ result, run }) => {
      const modifier = result?.toolcrib?.['context_modifier'] as Record<string, unknown> | undefined
      if (!modifier || !run) return []
      const { invocationId, toolId } = run.row
      return [{ invocationId, toolId, modifier }]
    })
    return { modifiers, merged: Object.assign({}, ...modifiers.map(({ modifier }) => modifier)) }
  }

  [Symbol.asyncIterator](): AsyncGenerator<BatchItem, void, void> {
    return this.#read()
  }

  async *#read(): AsyncGenerator<BatchItem, void, void> {
    const { yield_policy: yields = 'progress_immediate_results_ordered' } = this.policy
    const reader = new BatchStream({ yields, isOrdered: !this.#world.turn.isUnordered })
    this.#readers.add(reader)
    for (const { call, seat } of this.#members) if (call) void reader.follow(call, seat.index)
    if (this.#isFinished) reader.complete()
    try {
      yield* reader.read()
    } finally {
      this.#readers.delete(reader)
    }
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a batch is a promise of its results, as a call is one of its result
  then<Fulfilled = ToolResult[], Rejected = never>(
    onFulfilled?: ((results: ToolResult[]) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#results.then(onFulfilled, onRejected)
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<ToolResult[] | Rejected> {
    return this.#results.catch(onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<ToolResult[]> {
    return this.#results.finally(onFinally)
  }
}

class Draft implements CallDraft {
  readonly #start: (text: string) => Call
  #text = ''
  #call: Call | undefined = undefined

  constructor(start: (text: string) => Call) {
    this.#start = start
  }

  append(text: string): void {
    if (this.#call) throw new TypeError('The arguments of this call are complete; nothing can be added.')
    this.#text += text
  }

  complete(): Call {
    this.#call ??= this.#start(this.#text)
    return this.#call
  }
}
