import type { CallRow } from '../../storage/store.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { BreakerRules } from './breaker.js'
import type { CircuitStatus } from './circuits.js'
import type { CompiledLimit } from './compile-limit.js'
import type { Count } from './counters.js'
import type { LimitsControl } from './create-rate-limits.js'
import type { LimitDimension } from './limit-rule.js'
import { countedBy, type CountedBy, type RunName } from './need.js'
import { usedOf, waitMsFor } from './rate.js'

/** The current state of every limit. */
export interface LimitsState {
  limits: LimitState[]
  /** Absent if none is configured. */
  breaker?: BreakerStatus
}

/** A limit with its defaults filled in. */
export interface LimitState {
  by: readonly LimitDimension[]
  of: Readonly<Partial<Record<LimitDimension, readonly string[]>>>
  perMinute?: number
  burst?: number
  concurrent?: number
  perRun?: number
  over: 'wait' | 'refuse'
  maxWaitMs?: number
  /** The agent whose calls it counts. */
  agent?: string
  /** One entry for each separate count that is in use. */
  counts: CountState[]
}

export interface CountState {
  of: CountedBy
  /** How much of `burst` is used; it recovers at the rate of `perMinute`. */
  used?: number
  /** Time until the next call is allowed. */
  waitMs?: number
  /** How many calls run, in all processes that share the store. */
  running?: number
  /** How much of `perRun` each run has used, the highest first. */
  runs?: { run: RunName; used: number }[]
}

/** The circuits of this process: each process has its own. */
export interface BreakerStatus extends BreakerRules {
  circuits: CircuitStatus[]
}

export interface LimitsStateParts {
  counts: readonly Count[]
  /** The running calls. */
  running: readonly CallRow[]
  toolOf: (toolId: string) => CatalogTool | undefined
  now: number
}

export function limitsStateOf(
  { limits, circuits }: Pick<LimitsControl, 'limits' | 'circuits'>,
  parts: LimitsStateParts,
): LimitsState {
  return {
    limits: limits.map((limit) => limitStateOf(limit, parts)),
    ...(circuits && { breaker: { ...circuits.rules, circuits: circuits.list() } }),
  }
}

function limitStateOf(limit: CompiledLimit, parts: LimitsStateParts): LimitState {
  const { by, of, rate, concurrent, perRun, over, maxWaitMs, agent } = limit
  return {
    by,
    of,
    ...(rate && { perMinute: rate.perMinute, burst: rate.burst }),
    ...(concurrent !== undefined && { concurrent }),
    ...(perRun !== undefined && { perRun }),
    over,
    ...(agent !== undefined && { agent }),
    ...(rate && over === 'wait' && { maxWaitMs }),
    counts: countStatesOf(limit, parts),
  }
}

function countStatesOf(limit: CompiledLimit, parts: LimitsStateParts): CountState[] {
  const found = new Map<string, CountState>()
  const at = (of: CountedBy): CountState => {
    const key = JSON.stringify(of)
    let state = found.get(key)
    if (!state) found.set(key, (state = { of }))
    return state
  }
  for (const count of parts.counts) if (count.limitId === limit.id) addCount(limit, count, at, parts.now)
  if (limit.concurrent !== undefined) {
    for (const row of parts.running) {
      const tool = parts.toolOf(row.toolId)
      if (!tool || !limit.meansTool(tool) || !limit.meansCaller(row)) continue
      const state = at(countedBy(limit, tool, row))
      state.running = (state.running ?? 0) + 1
    }
  }
  for (const { runs } of found.values()) runs?.sort((a, b) => b.used - a.used)
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, state]) => state)
}

function addCount(
  { rate, perRun }: CompiledLimit,
  { kind, of, run, kept }: Count,
  at: (of: CountedBy) => CountState,
  now: number,
): void {
  // The limit may have been changed since the count was made.
  if (kind === 'rate' && rate) {
    const used = usedOf(kept, rate, now)
    if (used > 0) Object.assign(at(of), { used, waitMs: waitMsFor(kept, rate, now) })
  } else if (kind === 'run' && perRun !== undefined && run) {
    const state = at(of)
    state.runs = [...(state.runs ?? []), { run, used: kept }]
  }
}
