import type { WaitsFor } from '../../contract/describe-wait.js'
import type { Store } from '../../storage/store.js'
import type { Admission, LimitedCall, RateLimits } from '../rate-limits.js'
import { createCircuits, outcomeOf, type Circuits } from './circuits.js'
import { compileLimits, type CompiledLimit, type FindTool } from './compile-limit.js'
import type { Counters } from './counters.js'
import type { BreakerOptions, LimitRule } from './limit-rule.js'
import { createLocalCounters } from './local-counters.js'
import type { Need, Shortage } from './need.js'
import { budgetSpent, limitedCalls, rateLimited, uncountable } from './refusals.js'
import { createStoreCounters } from './store-counters.js'
import { createSurfaceLimits, createToolLimits } from './tool-limits.js'
import { createWaitQueue } from './wait-queue.js'

export interface RateLimitsOptions {
  limits?: readonly LimitRule[] | undefined
  breaker?: BreakerOptions | false | undefined
  /** Counts are stored here, unless the store is ephemeral. */
  store: Store
  now: () => number
  /** The tool with this name, if exactly one has it. */
  find: FindTool
}

/** Rate limits whose state can be listed. */
export interface LimitsControl extends RateLimits {
  readonly limits: readonly CompiledLimit[]
  readonly counters: Counters
  readonly circuits: Circuits | undefined
}

/** Creates limits, budgets and circuit breakers. */
export function createRateLimits(options: RateLimitsOptions): LimitsControl {
  const { limits: rules = [], breaker, store, now, find } = options
  const limits = compileLimits(rules, find)
  const waitQueue = createWaitQueue(now)
  const counters = store.isEphemeral
    ? createLocalCounters(waitQueue, now)
    : createStoreCounters(store, waitQueue, now)
  const circuits = breaker ? createCircuits(breaker, now) : undefined
  const limitsFor = createToolLimits(limits, (source) => circuits?.watches(source) === true)
  const surfaceLimitsFor = createSurfaceLimits(find)
  const hasNone = limits.length === 0 && !circuits

  function answer(call: LimitedCall, short: Shortage | undefined): Admission {
    if (!short) {
      waitQueue.leave(call)
      return undefined
    }
    // The call was not admitted: if it was a probe, another call may be the probe.
    circuits?.leave(call, 'unknown')
    const { need, needs, waitMs, maxWaitMs } = short
    const at = now()
    const waitedMs = at - (waitQueue.since(call) ?? at)
    if (waitMs < Infinity && waitedMs + waitMs <= maxWaitMs) {
      waitQueue.stay(call, needs, waitMs)
      return { waitMs, waitsFor: rateWaitedFor(need) }
    }
    waitQueue.leave(call)
    return { refuse: waitMs === Infinity ? budgetSpent(need) : rateLimited(need, waitMs) }
  }

  return {
    limits,
    counters,
    circuits,
    concerns(call) {
      const isOfSurface = call.surface.request.maxCallsPerRun !== undefined
      if (hasNone && !isOfSurface) return false
      return limitsFor(call.tool!).hasAny || (isOfSurface && surfaceLimitsFor(call).hasAny)
    },
    slots: ({ tool, row }) => limitsFor(tool!).slots(row),
    ask(call) {
      const limited = limitsFor(call.tool!)
      const refuse = limited.isWatched ? circuits?.enter(call) : undefined
      if (refuse) return { refuse }
      const ofRules = limited.needs(call.row)
      const isOfSurface = call.surface.request.maxCallsPerRun !== undefined
      const all = isOfSurface ? [...ofRules, ...surfaceLimitsFor(call).needs(call.row)] : ofRules
      // A budget counts calls, and a retry is not another call.
      const needs = call.retrying ? all.filter(({ kind }) => kind === 'rate') : all
      if (needs.length === 0) return undefined
      const short = counters.take(needs, call)
      if (!(short instanceof Promise)) return answer(call, short)
      return short.then(
        (settled) => answer(call, settled),
        (error) => {
          circuits?.leave(call, 'unknown')
          waitQueue.leave(call)
          return { refuse: uncountable(error) }
        },
      )
    },
    ended(call, { hasRun, error }) {
      waitQueue.leave(call)
      circuits?.leave(call, hasRun ? outcomeOf(call, error) : 'unknown')
    },
  }
}

function rateWaitedFor({ limit, tool, row }: Need): WaitsFor {
  return { kind: 'limit', name: limitedCalls(limit, tool, row), per_minute: limit.rate!.perMinute }
}
