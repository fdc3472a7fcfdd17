import type { Store } from '../../storage/store.js'
import type { Admission, LimitedCall, RateLimits } from '../rate-limits.js'
import { createCircuits, outcomeOf, type Circuits } from './circuits.js'
import { compileLimits, type CompiledLimit, type FindTool } from './compile-limit.js'
import type { Counters } from './counters.js'
import type { BreakerOptions, LimitRule } from './limit-rule.js'
import { createLocalCounters } from './local-counters.js'
import type { Short } from './need.js'
import { budgetSpent, rateLimited, uncountable } from './refusals.js'
import { createStoreCounters } from './store-counters.js'
import { createToolLimits } from './tool-limits.js'
import { createWaitQueue } from './wait-queue.js'

export interface RateLimitsOptions {
  limits?: readonly LimitRule[] | undefined
  breaker?: BreakerOptions | false | undefined
  /** Counts are kept here, unless they are gone with this process anyway. */
  store: Store
  now: () => number
  /** The one tool of a name, if there is one. */
  find: FindTool
}

/** A rateLimits that can also be asked how things stand. */
export interface LimitsControl extends RateLimits {
  readonly limits: readonly CompiledLimit[]
  readonly counters: Counters
  readonly circuits: Circuits | undefined
}

/** Limits, budgets and circuit breakers; nothing where none is configured. */
export function createRateLimits(options: RateLimitsOptions): LimitsControl | undefined {
  const { limits: rules = [], breaker, store, now, find } = options
  if (rules.length === 0 && !breaker) return undefined
  const limits = compileLimits(rules, find)
  const waitQueue = createWaitQueue(now)
  const counters = store.isEphemeral
    ? createLocalCounters(waitQueue, now)
    : createStoreCounters(store, waitQueue, now)
  const circuits = breaker ? createCircuits(breaker, now) : undefined
  const limitsFor = createToolLimits(limits, (source) => circuits?.watches(source) === true)

  function answer(call: LimitedCall, short: Short | undefined): Admission {
    if (!short) {
      waitQueue.leave(call)
      return undefined
    }
    // It did not come in after all: if it was to try its source, another may.
    circuits?.leave(call, 'unknown')
    const { need, needs, waitMs, maxWaitMs } = short
    const at = now()
    const waitedMs = at - (waitQueue.since(call) ?? at)
    if (waitMs < Infinity && waitedMs + waitMs <= maxWaitMs) {
      waitQueue.stay(call, needs, waitMs)
      return { waitMs }
    }
    waitQueue.leave(call)
    return { refuse: waitMs === Infinity ? budgetSpent(need) : rateLimited(need, waitMs) }
  }

  return {
    limits,
    counters,
    circuits,
    concerns: ({ tool }) => limitsFor(tool!).hasAny,
    slots: ({ tool, row }) => limitsFor(tool!).slots(row),
    ask(call) {
      const limited = limitsFor(call.tool!)
      const refuse = limited.isWatched ? circuits?.enter(call) : undefined
      if (refuse) return { refuse }
      const all = limited.needs(call.row)
      // A run counts calls; that one of them is tried again is no other call.
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
