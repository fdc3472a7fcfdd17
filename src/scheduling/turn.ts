import type { ToolSchedulerPolicy } from '../contract/objects/tool-scheduler-policy.js'
import type { ToolResult } from '../contract/objects/tool-result.js'
import type { CallFacts } from '../catalog/facts.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import type { Lock, Place } from './claim.js'
import { Lane, type LaneEntry, type LaneMode } from './session-queue.js'
import { Width } from './concurrency.js'

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

const NO_PLACES: readonly Place[] = []

/** What the calls of one batch share. */
export class Turn {
  readonly options: TurnOptions
  readonly lane: Lane
  readonly width: Width
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

  constructor(options: TurnOptions, lane: Lane, onLeave: (turn: Turn) => void) {
    this.options = options
    this.lane = lane
    this.width = new Width(options.policy.max_parallel ?? Number.POSITIVE_INFINITY)
    this.policyRef = schedulerPolicyRef(options.batchId)
    this.locks = (options.policy.resource_locks ?? []).map(({ key, mode }) => ({
      key,
      mode: mode ?? 'exclusive',
    }))
    this.#onLeave = onLeave
    lane.turns++
  }

  /** Results are handed on as they come. */
  get isUnordered(): boolean {
    const { ordering_policy: ordering, yield_policy: yields } = this.options.policy
    return ordering === 'allow_unordered' || yields === 'unordered_streaming'
  }

  modeFor(facts: CallFacts, tool: CatalogTool): LaneMode {
    if (this.options.policy.ordering_policy === 'serial' || facts.requires_exclusive_context) return 'sole'
    const hasReach = tool.draft.locks !== undefined
    if (facts.is_concurrency_safe) return hasReach ? 'free_reached' : 'free'
    return hasReach ? 'reached' : 'sole'
  }

  /** The places of its tool and its source in this batch. */
  placesFor(tool: CatalogTool): readonly Place[] {
    const { batchId, maxParallelPerTool, maxParallelPerSource } = this.options
    if (maxParallelPerTool === undefined && maxParallelPerSource === undefined) return NO_PLACES
    const places: Place[] = []
    if (maxParallelPerTool !== undefined)
      places.push({ key: `${batchId} tool ${tool.toolId}`, width: maxParallelPerTool })
    if (maxParallelPerSource !== undefined)
      places.push({ key: `${batchId} source ${tool.source}`, width: maxParallelPerSource })
    return places
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
    this.lane.turns--
    this.#onLeave(this)
  }

  leave(entry: LaneEntry): void {
    this.lane.leave(entry)
    this.#onLeave(this)
  }
}

/** By the batch: the same policy may be given to many, and each has a record of its own. */
function schedulerPolicyRef(batchId: string): string {
  return `toolcrib://scheduler-policies/${batchId}`
}
