import type { ToolError } from '../../contract/objects/tool-error.js'
import type { LimitedCall } from '../rate-limits.js'
import {
  CLOSED,
  probe,
  settle,
  type BreakerRules,
  type BreakerState,
  type Outcome,
  type Ticket,
} from './breaker.js'
import { textTest } from './compile-limit.js'
import type { BreakerOptions } from './limit-rule.js'
import { circuitOpen } from './refusals.js'

/** The state of one source's circuit in this process. */
export interface CircuitStatus {
  source: string
  state: BreakerState['kind']
  /** Consecutive failures; 0 unless the circuit is closed. */
  failures: number
  /** Time until the next probe; only while the circuit is open. */
  retryAfterMs?: number
}

/** A circuit for each source, in this process. */
export interface Circuits {
  readonly rules: BreakerRules
  watches(source: string): boolean
  /** Admits the call, or returns why not. */
  enter(call: LimitedCall): ToolError | undefined
  /** Records the outcome of an admitted call. Ignored for a call that was not admitted or has been recorded already. */
  leave(call: LimitedCall, outcome: Outcome): void
  list(): CircuitStatus[]
}

const DEFAULTS: BreakerRules = { failures: 5, openMs: 30_000, probes: 1 }

export function createCircuits({ sources, ...given }: BreakerOptions, now: () => number): Circuits {
  const rules: BreakerRules = {
    failures: given.failures ?? DEFAULTS.failures,
    openMs: given.openMs ?? DEFAULTS.openMs,
    probes: given.probes ?? DEFAULTS.probes,
  }
  const states = new Map<string, BreakerState>()
  const tickets = new WeakMap<LimitedCall, Ticket>()
  /** Calls of one closed period share a ticket. */
  const shared = new Map<string, Ticket>()

  function ticketFor(source: string, { period }: BreakerState, probeAt: number | undefined): Ticket {
    if (probeAt !== undefined) return { period, probeAt }
    let ticket = shared.get(source)
    if (ticket?.period !== period) shared.set(source, (ticket = { period }))
    return ticket!
  }

  return {
    rules,
    watches: textTest(sources),
    enter(call) {
      if (tickets.has(call)) return undefined
      const { source } = call.tool!
      const at = now()
      const outcome = probe(states.get(source) ?? CLOSED, rules, at)
      states.set(source, outcome.state)
      if ('retryAfterMs' in outcome) return circuitOpen(source, outcome.retryAfterMs)
      tickets.set(call, ticketFor(source, outcome.state, outcome.isProbe ? at : undefined))
      return undefined
    },
    leave(call, outcome) {
      const ticket = tickets.get(call)
      if (!ticket) return
      tickets.delete(call)
      const { source } = call.tool!
      states.set(source, settle(states.get(source) ?? CLOSED, { ticket, outcome, now: now() }, rules))
    },
    list: () => [...states].map(([source, state]) => circuitStatusOf(source, state, now())),
  }
}

function circuitStatusOf(source: string, state: BreakerState, now: number): CircuitStatus {
  const status = { source, state: state.kind, failures: state.kind === 'closed' ? state.failures : 0 }
  return state.kind === 'open' ? { ...status, retryAfterMs: Math.max(0, state.until - now) } : status
}

/** Errors of Toolcrib itself: they show nothing about a source. */
const OWN_FAULT = /^toolcrib\.(?:store_|owner_changed|internal)/

/** An error such as "invalid input" shows that the source works; a call that was stopped shows nothing. */
export function outcomeOf({ cancelReason }: LimitedCall, error: ToolError | undefined): Outcome {
  if (cancelReason !== undefined && cancelReason !== 'timeout') return 'unknown'
  switch (error?.error_class) {
    case 'dependency_unavailable':
    case 'timeout':
      return OWN_FAULT.test(error.error_code ?? '') ? 'unknown' : 'failed'
    case 'canceled':
    case 'sibling_canceled':
    case 'streaming_fallback_discarded':
      return 'unknown'
    default:
      return 'lives'
  }
}
