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

/** A call of a batch, by its number in it. */
interface BatchMember {
  readonly index: number
}

/** Who is told what becomes of the calls of a batch. */
export interface TurnListener {
  /** A call has its result; its caller does not know yet. */
  onEnded(member: BatchMember, result: ToolResult): void
  /** The caller is told. */
  onHandedOver(member: BatchMember, result: ToolResult): void
  /** It was put down, or broke: there is no result here. */
  onBroken(member: BatchMember, error: unknown): void
}

const NO_PLACES: readonly Slot[] = []

/** What the calls of one batch share. */
export class Turn {
  readonly options: TurnOptions
  readonly queue: SessionQueue
  readonly width: ConcurrencyLimit
  readonly policyRef: string
  /** What each call of the batch holds besides its own. */
  readonly locks: readonly Lock[]
  /** The model still speaks: more calls may come, and what has effects waits. */
  isOpen = false
  /** The first result that has not been handed on. */
  nextYield = 0
  listener: TurnListener | undefined = undefined
  readonly #onLeave: (turn: Turn) => void
  /** Counts starts, and calls that run: whoever ran alone can tell by them. */
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

  /** Results are handed on as they come. */
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
  placesFor(tool: CatalogTool): readonly Slot[] {
    const { batchId, maxParallelPerTool, maxParallelPerSource } = this.options
    if (maxParallelPerTool === undefined && maxParallelPerSource === undefined) return NO_PLACES
    const slots: Slot[] = []
    if (maxParallelPerTool !== undefined)
      slots.push({ key: `${batchId} tool ${tool.toolId}`, width: maxParallelPerTool })
    if (maxParallelPerSource !== undefined)
      slots.push({ key: `${batchId} source ${tool.source}`, width: maxParallelPerSource })
    return slots
  }

  /** Returns what `ended` needs in order to tell whether the call ran alone, which it returns. */
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

/** By the batch: the same policy may be given to many, and each has a record of its own. */
function schedulerPolicyRef(batchId: string): string {
  return `toolcrib://scheduler-policies/${batchId}`
}
