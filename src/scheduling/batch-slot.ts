import type { ToolResult } from '../contract/objects/tool-result.js'
import type { CallFacts } from '../catalog/facts.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import type { CallSlot } from '../pipeline/schedule/scheduling.js'
import type { Lock } from './claim.js'
import type { SessionQueue, QueueEntry, QueueMode } from './session-queue.js'
import type { Holding } from './lock-table.js'
import type { Turn } from './turn.js'

/** Who is told when a call may start. */
export interface TurnWaiter {
  onTurn(): void
}

const NO_LOCKS: readonly Lock[] = []

/** A call's slot in its batch: before whom and after whom it was asked for, and on whom it depends. */
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
  /** Calls that it waits for and that have not ended. */
  waitsFor = 0
  /** Its side effects wait until the turn is known to have ended well. */
  isHeld = false
  /** The call whose failure took this one with it. */
  canceledBy: string | undefined = undefined
  /** Its result has been handed on. */
  isYielded = false
  #hasArrived = false
  #hasLeft = false
  #isAside = false
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

  /** What is known of it while it waits for something else than its turn: those who go beside it need not wait. */
  foresee(facts: CallFacts, tool: CatalogTool): void {
    if (this.#hasLeft || this.isAdmitted) return
    this.#takeLocks(facts)
    this.mode = this.turn.modeFor(facts, tool)
    this.#queue.update()
  }

  /** The call is ready to run. Whether it may at once; if not, it is told when. */
  arrive(facts: CallFacts, tool: CatalogTool, waiter: TurnWaiter): boolean {
    // A further attempt keeps the turn that it has.
    if (this.isAdmitted) return true
    this.#hasArrived = true
    this.isHeld = this.turn.isOpen && !facts.is_read_only
    const mode = this.turn.modeFor(facts, tool)
    this.#takeLocks(facts)
    if (this.#mayStart && this.#queue.arrive(this, mode)) {
      this.#leaveIfAside()
      return true
    }
    this.mode = mode
    this.#waiter = waiter
    // Its mode is known from now on: others may go beside it.
    if (!this.isReady) this.#queue.update()
    return false
  }

  /** Nobody of its turn waits for it any longer, once it has its own turn: it goes on in the background. */
  stepAside(): void {
    this.#isAside = true
    if (this.isAdmitted) this.leave()
  }

  #leaveIfAside(): void {
    if (this.#isAside) this.leave()
  }

  #takeLocks({ resource_locks: own = NO_LOCKS }: CallFacts): void {
    const { locks } = this.turn
    if (own.length === 0 && locks.length === 0 && this.locks.length === 0) return
    this.#queue.relock(this, locks.length === 0 ? own : [...own, ...locks])
  }

  get #mayStart(): boolean {
    return this.#hasArrived && this.waitsFor === 0 && !this.isHeld
  }

  /** One of those that it waits for has ended. */
  settleOne(): void {
    this.waitsFor--
    this.#reconsider()
  }

  /** The turn has ended well: effects may happen. */
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
    this.#leaveIfAside()
  }

  /** Nothing that comes later starts before this one has ended. */
  block(): void {
    if (!this.#hasLeft) this.#queue.harden(this)
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
