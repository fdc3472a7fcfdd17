/** When a circuit opens, how long it stays open, and how many probes follow. */
export interface BreakerRules {
  readonly failures: number
  readonly openMs: number
  readonly probes: number
}

/**
 * The state of one source's circuit. Each change of the kind starts a new period; outcomes of calls from earlier
 * periods are ignored.
 */
export type BreakerState = ClosedState | OpenState | HalfOpenState

interface ClosedState {
  readonly kind: 'closed'
  readonly period: number
  /** Consecutive failures so far. */
  readonly failures: number
}

interface OpenState {
  readonly kind: 'open'
  readonly period: number
  readonly until: number
}

interface HalfOpenState {
  readonly kind: 'half_open'
  readonly period: number
  readonly succeeded: number
  /** When each running probe was admitted. */
  readonly probing: readonly number[]
}

/** What an admitted call shows about its source. `unknown`: nothing, for example because it was canceled. */
export type Outcome = 'lives' | 'failed' | 'unknown'

/** Ties the outcome of a call to the period in which it was admitted. */
export interface Ticket {
  readonly period: number
  /** When the call was admitted, if it is a probe. */
  readonly probeAt?: number
}

export const CLOSED: BreakerState = Object.freeze({ kind: 'closed', period: 0, failures: 0 })

/** The longest wait before a retry while probes run. */
const PROBING_MS = 1_000

/** The call is admitted, possibly as a probe, or must be retried later. */
export type ProbeOutcome =
  { state: BreakerState; isProbe: boolean } | { state: BreakerState; retryAfterMs: number }

export function probe(state: BreakerState, rules: BreakerRules, now: number): ProbeOutcome {
  switch (state.kind) {
    case 'closed':
      return { state, isProbe: false }
    case 'open': {
      // Limited to `openMs` from now: a clock that was set back must not keep the circuit open.
      const until = Math.min(state.until, now + rules.openMs)
      if (until > now)
        return { state: until === state.until ? state : { ...state, until }, retryAfterMs: until - now }
      const { period } = state
      return {
        state: { kind: 'half_open', period: period + 1, succeeded: 0, probing: [now] },
        isProbe: true,
      }
    }
    case 'half_open': {
      // A probe that never ends must not block the next one.
      const probing = state.probing.filter((since) => since <= now && now < since + rules.openMs)
      if (probing.length + state.succeeded < rules.probes)
        return { state: { ...state, probing: [...probing, now] }, isProbe: true }
      const nextMs = Math.min(...probing.map((since) => since + rules.openMs - now))
      return { state: { ...state, probing }, retryAfterMs: Math.min(PROBING_MS, nextMs) }
    }
  }
}

export function settle(
  state: BreakerState,
  { ticket, outcome, now }: { ticket: Ticket; outcome: Outcome; now: number },
  rules: BreakerRules,
): BreakerState {
  if (ticket.period !== state.period) return state
  switch (state.kind) {
    case 'closed':
      if (outcome === 'unknown') return state
      if (outcome === 'lives') return state.failures === 0 ? state : { ...state, failures: 0 }
      return state.failures + 1 < rules.failures
        ? { ...state, failures: state.failures + 1 }
        : opened(state, rules, now)
    case 'open':
      return state
    case 'half_open': {
      if (outcome === 'failed') return opened(state, rules, now)
      const probing = without(state.probing, ticket.probeAt)
      if (outcome === 'unknown') return { ...state, probing }
      const succeeded = state.succeeded + 1
      return succeeded < rules.probes
        ? { ...state, succeeded, probing }
        : { kind: 'closed', period: state.period + 1, failures: 0 }
    }
  }
}

function opened({ period }: BreakerState, { openMs }: BreakerRules, now: number): BreakerState {
  return { kind: 'open', period: period + 1, until: now + openMs }
}

function without(probing: readonly number[], probeAt: number | undefined): readonly number[] {
  const index = probing.findIndex((since) => since === probeAt)
  return index === -1 ? probing : probing.toSpliced(index, 1)
}
