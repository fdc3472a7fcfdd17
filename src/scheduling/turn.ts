import type { ToolSchedulerPolicy } from '../contract/objects/tool-scheduler-policy.js'
import type { ToolResult } from '../contract/objects/tool-result.js'
import type { CallFacts } from '../catalog/facts.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import type { Lock, Slot } from './claim.js'
import { SessionQueue, type QueueEntry, type QueueMode } from './session-queue.js'
import { ConcurrencyLimit } from './concurrency.js'

export interface TurnOptions {
  batchId: string
  policy: ToolSchedulerPolicy
  maxParallelPerTool?: number | undefined
  maxParallelPerSource?: number | undefined
}

/** A call of a batch, by its index. */
interface BatchMember {
  readonly index: number
}

/** Notified about the calls of a batch. */
export interface TurnListener {
  /** A call has its result; its caller does not have it yet. */
  onEnded(member: BatchMember, result: ToolResult): void
  /** The caller has the result. */
  onHandedOver(member: BatchMember, result: ToolResult): void
  /** The call was suspended or failed unexpectedly: this process has no result of it. */
  onBroken(member: BatchMember, error: unknown): void
}

const NO_SLOTS: readonly Slot[] = []

/** What the calls of one batch share. */
export class Turn {
  readonly options: TurnOptions
  readonly queue: SessionQueue
  readonly width: ConcurrencyLimit
  readonly policyRef: string
  /** Locks that each call of the batch holds besides its own. */
  readonly locks: readonly Lock[]
  /** The model is still streaming: more calls may come, and calls with side effects wait. */
  isOpen = false
  /** The index of the first result that was not handed over. */
  nextYield = 0
  listener: TurnListener | undefined = undefined
  readonly #onLeave: (turn: Turn) => void
  /** Counts the started and the running calls, to find out whether a call ran alone. */
  #starts = 0
  #running = 0

  constructor(options: TurnOptions, queue: SessionQueue, onLeave: (turn: Turn) => void) {
    this.options = options
    this.queue = queue
    this.width = new ConcurrencyLimit(options.policy.max_parallel ?? Number.POSITIVE_INFINITY)
    this.policyRef = schedulerPolicyRef(options.batchId)
    this.locks = (options.policy.resource_locks ?? []).map(({ key, mode }) => ({
      key,
      mode: mode ?? 'exclusive',
    }))
    this.#onLeave = onLeave
    queue.turns++
  }

  /** Whether results are handed over in the order in which calls end. */
  get isUnordered(): boolean {
    const { ordering_policy: ordering, yield_policy: yields } = this.options.policy
    return ordering === 'allow_unordered' || yields === 'unordered_streaming'
  }

  modeFor(facts: CallFacts, tool: CatalogTool): QueueMode {
    if (this.options.policy.ordering_policy === 'serial' || facts.requires_exclusive_context) return 'sole'
    const hasReach = tool.draft.locks !== undefined
    if (facts.is_concurrency_safe) return hasReach ? 'free_reached' : 'free'
    return hasReach ? 'reached' : 'sole'
  }

  /** The slots of its tool and its source in this batch. */
  slotsFor(tool: CatalogTool): readonly Slot[] {
    const { batchId, maxParallelPerTool, maxParallelPerSource } = this.options
    if (maxParallelPerTool === undefined && maxParallelPerSource === undefined) return NO_SLOTS
    const slots: Slot[] = []
    if (maxParallelPerTool !== undefined)
      slots.push({
        key: `${batchId} tool ${tool.toolId}`,
        width: maxParallelPerTool,
        name: `calls of the tool "${tool.toolId}" in its batch`,
      })
    if (maxParallelPerSource !== undefined)
      slots.push({
        key: `${batchId} source ${tool.source}`,
        width: maxParallelPerSource,
        name: `calls of the source "${tool.source}" in its batch`,
      })
    return slots
  }

  /** Returns a token for `ended`, which returns whether the call ran alone. */
  started(): number {
    this.#starts++
    this.#running++
    return this.#running === 1 ? this.#starts : Number.NaN
  }

  ended(start: number): boolean {
    this.#running--
    return start === this.#starts
  }

  /** No more calls will come. */
  close(): void {
    this.queue.turns--
    this.#onLeave(this)
  }

  leave(entry: QueueEntry): void {
    this.queue.leave(entry)
    this.#onLeave(this)
  }
}

/** Named by the batch, because each batch has its own record, even of the same policy. */
function schedulerPolicyRef(batchId: string): string {
  return `toolcrib://scheduler-policies/${batchId}`
}
