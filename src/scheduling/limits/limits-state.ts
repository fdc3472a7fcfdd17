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

/** Every limit and where it stands now. */
export interface LimitsState {
  limits: LimitState[]
  /** Absent where there is none. */
  breaker?: BreakerStatus
}

/** A limit with everything said that it left unsaid. */
export interface LimitState {
  by: readonly LimitDimension[]
  of: Readonly<Partial<Record<LimitDimension, readonly string[]>>>
  perMinute?: number
  burst?: number
  concurrent?: number
  perRun?: number
  over: 'wait' | 'refuse'
  maxWaitMs?: number
  /** One for each of those that are counted apart, as far as anything is used. */
  counts: CountState[]
}

export interface CountState {
  of: CountedBy
  /** Of `burst`; what is used up comes back at the pace of `perMinute`. */
  used?: number
  /** Until the next call may come. */
  waitMs?: number
  /** Of `concurrent`, in all processes that share the store. */
  running?: number
  /** Of `perRun`, the fullest first. */
  runs?: { run: RunName; used: number }[]
}

/** The circuits are those of this process: each has its own. */
export interface BreakerStatus extends BreakerRules {
  circuits: CircuitStatus[]
}

export interface LimitsStateParts {
  counts: readonly Count[]
  /** The calls that run. */
  running: readonly CallRow[]
  toolOf: (toolId: string) => CatalogTool | undefined
  now: number
}

export function standingOf({ limits, circuits }: LimitsControl, parts: LimitsStateParts): LimitsState {
  return {
    limits: limits.map((limit) => limitStanding(limit, parts)),
    ...(circuits && { breaker: { ...circuits.rules, circuits: circuits.list() } }),
  }
}

function limitStanding(limit: CompiledLimit, parts: LimitsStateParts): LimitState {
  const { by, of, rate, concurrent, perRun, over, maxWaitMs } = limit
  return {
    by,
    of,
    ...(rate && { perMinute: rate.perMinute, burst: rate.burst }),
    ...(concurrent !== undefined && { concurrent }),
    ...(perRun !== undefined && { perRun }),
    over,
    ...(rate && over === 'wait' && { maxWaitMs }),
    counts: countStandings(limit, parts),
  }
}

function countStandings(limit: CompiledLimit, parts: LimitsStateParts): CountState[] {
  const found = new Map<string, CountState>()
  const at = (of: CountedBy): CountState => {
    const key = JSON.stringify(of)
    let standing = found.get(key)
    if (!standing) found.set(key, (standing = { of }))
    return standing
  }
  for (const count of parts.counts) if (count.limitId === limit.id) addCount(limit, count, at, parts.now)
  if (limit.concurrent !== undefined) {
    for (const row of parts.running) {
      const tool = parts.toolOf(row.toolId)
      if (!tool || !limit.meansTool(tool) || !limit.meansCaller(row)) continue
      const standing = at(countedBy(limit, tool, row))
      standing.running = (standing.running ?? 0) + 1
    }
  }
  for (const { runs } of found.values()) runs?.sort((a, b) => b.used - a.used)
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, standing]) => standing)
}

function addCount(
  { rate, perRun }: CompiledLimit,
  { kind, of, run, kept }: Count,
  at: (of: CountedBy) => CountState,
  now: number,
): void {
  // A limit may have lost one of its numbers since the count was made.
  if (kind === 'rate' && rate) {
    const used = usedOf(kept, rate, now)
    if (used > 0) Object.assign(at(of), { used, waitMs: waitMsFor(kept, rate, now) })
  } else if (kind === 'run' && perRun !== undefined && run) {
    const standing = at(of)
    standing.runs = [...(standing.runs ?? []), { run, used: kept }]
  }
}
