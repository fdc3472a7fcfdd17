import type { ToolResult } from '../contract/objects/tool-result.js'
import type { CallFacts } from '../catalog/facts.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import type { CallSlot } from '../pipeline/schedule/schedule-state.js'
import type { Lock } from './claim.js'
import type { SessionQueue, QueueEntry, QueueMode } from './session-queue.js'
import type { Holding } from './lock-table.js'
import type { Turn } from './turn.js'

/** Notified when a call may start. */
export interface TurnWaiter {
  onTurn(): void
}

const NO_LOCKS: readonly Lock[] = []

/** A call's slot in its batch: its position in the order of calls, and the calls that it depends on. */
export class BatchSlot implements QueueEntry, CallSlot {
  readonly turn: Turn
  readonly index: number
  mode: QueueMode | undefined = undefined
  locks: readonly Lock[] = NO_LOCKS
  holding: Holding | undefined = undefined
  isReady = false
  isAdmitted = false
  before: QueueEntry | undefined = undefined
  after: QueueEntry | undefined = undefined
  /** How many calls that it depends on have not ended. */
  waitsFor = 0
  /** True while the turn is open and the call has side effects: it must not start before the turn ends well. */
  isHeld = false
  /** The call whose failure canceled this one. */
  canceledBy: string | undefined = undefined
  /** Its result was handed over. */
  isYielded = false
  #hasArrived = false
  #hasLeft = false
  #isDetached = false
  #waiter: TurnWaiter | undefined = undefined

  constructor(turn: Turn, index: number) {
    this.turn = turn
    this.index = index
    turn.queue.join(this)
  }

  get policyRef(): string {
    return this.turn.policyRef
  }

  get contextModifierPolicy(): CallSlot['contextModifierPolicy'] {
    return this.turn.options.policy.context_modifier_policy
  }

  get interruptBehavior(): CallSlot['interruptBehavior'] {
    return this.turn.options.policy.interrupt_behavior
  }

  takeYield(): void {
    this.isYielded = true
  }

  get isNext(): boolean {
    return this.turn.isUnordered || this.turn.nextYield === this.index
  }

  get #queue(): SessionQueue {
    return this.turn.queue
  }

  /** Sets its locks and its mode before it is ready, so that calls that may run beside it need not wait. */
  foresee(facts: CallFacts, tool: CatalogTool): void {
    if (this.#hasLeft || this.isAdmitted) return
    this.#takeLocks(facts)
    this.mode = this.turn.modeFor(facts, tool)
    this.#queue.update()
  }

  /** The call is ready to run. Returns whether it may start now; if not, the waiter is notified later. */
  arrive(facts: CallFacts, tool: CatalogTool, waiter: TurnWaiter): boolean {
    // A retry keeps its turn.
    if (this.isAdmitted) return true
    this.#hasArrived = true
    this.isHeld = this.turn.isOpen && !facts.is_read_only
    const mode = this.turn.modeFor(facts, tool)
    this.#takeLocks(facts)
    if (this.#mayStart && this.#queue.arrive(this, mode)) {
      this.#leaveIfDetached()
      return true
    }
    this.mode = mode
    this.#waiter = waiter
    // Its mode is known now: other calls may run beside it.
    if (!this.isReady) this.#queue.update()
    return false
  }

  /** The call continues in the background: once it has its turn, other calls no longer wait for it. */
  detach(): void {
    this.#isDetached = true
    if (this.isAdmitted) this.leave()
  }

  #leaveIfDetached(): void {
    if (this.#isDetached) this.leave()
  }

  #takeLocks({ resource_locks: own = NO_LOCKS }: CallFacts): void {
    const { locks } = this.turn
    if (own.length === 0 && locks.length === 0 && this.locks.length === 0) return
    this.#queue.relock(this, locks.length === 0 ? own : [...own, ...locks])
  }

  get #mayStart(): boolean {
    return this.#hasArrived && this.waitsFor === 0 && !this.isHeld
  }

  /** A call that it depends on has ended. */
  settleOne(): void {
    this.waitsFor--
    this.#reconsider()
  }

  /** The turn has ended well: calls with side effects may start. */
  release(): void {
    this.isHeld = false
    this.#reconsider()
  }

  #reconsider(): void {
    if (this.isAdmitted || this.#hasLeft) return
    this.isReady = this.#mayStart
    if (this.isReady) this.#queue.update()
  }

  onTurn(): void {
    const waiter = this.#waiter
    this.#waiter = undefined
    waiter?.onTurn()
    this.#leaveIfDetached()
  }

  /** Later calls start only after this one has ended. */
  block(): void {
    if (!this.#hasLeft) this.#queue.makeExclusive(this)
  }

  ended(result: ToolResult): void {
    this.turn.listener?.onEnded(this, result)
  }

  handOver(result: ToolResult): void {
    this.turn.listener?.onHandedOver(this, result)
  }

  break(error: unknown): void {
    this.turn.listener?.onBroken(this, error)
  }

  leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    this.#waiter = undefined
    this.turn.leave(this)
  }
}
