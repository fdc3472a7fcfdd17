/** When a circuit opens, for how long, and how many calls then try it. */
export interface BreakerRules {
  readonly failures: number
  readonly openMs: number
  readonly probes: number
}

/** What is known of one source. A period ends when the state is another; what began in an earlier one says nothing now. */
export type BreakerState = ClosedState | OpenState | HalfOpenState

interface ClosedState {
  readonly kind: 'closed'
  readonly period: number
  /** In a row, up to now. */
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
  /** When the probes under way were let in. */
  readonly probing: readonly number[]
}

/** What a call that was let in says of its source in the end. `unknown`: nothing, as when it was canceled. */
export type Outcome = 'lives' | 'failed' | 'unknown'

/** What a call needs to be heard about the period in which it came in. */
export interface Ticket {
  readonly period: number
  /** When a probe was let in. */
  readonly probeAt?: number
}

export const CLOSED: BreakerState = Object.freeze({ kind: 'closed', period: 0, failures: 0 })

/** How soon to come back while others are trying. */
const PROBING_MS = 1_000

/** Either the call may go through, as a probe where that is said, or it is to come back later. */
export type ProbeOutcome =
  { state: BreakerState; isProbe: boolean } | { state: BreakerState; retryAfterMs: number }

export function probe(state: BreakerState, rules: BreakerRules, now: number): ProbeOutcome {
  switch (state.kind) {
    case 'closed':
      return { state, isProbe: false }
    case 'open': {
      // Never longer than it may be: a clock that was set back must not keep it open.
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
      // A probe that never came back must not keep the next one out.
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
