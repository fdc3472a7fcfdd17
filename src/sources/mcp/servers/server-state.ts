import { retryDelayMs } from '../../../platform/async/retry-delay.js'

/** State of a server. `failures` counts consecutive failures and decides the next delay. */
export type ServerState =
  | { readonly is: 'disabled' | 'idle' }
  | { readonly is: 'connecting'; readonly since: number; readonly failures: number }
  | { readonly is: 'ready'; readonly since: number; readonly failures: number }
  | { readonly is: 'degraded'; readonly since: number; readonly failures: number; readonly reason: string }
  | {
      readonly is: 'failed'
      readonly failures: number
      readonly reason: string
      readonly nextRetryAt: number | undefined
    }

export type ServerEvent =
  | { readonly kind: 'dialing'; readonly at: number }
  /** It is connected and its list is known. */
  | { readonly kind: 'listed'; readonly at: number }
  | { readonly kind: 'list_failed'; readonly at: number; readonly reason: string }
  /** Connecting failed, or the connection is lost. */
  | {
      readonly kind: 'gone'
      readonly at: number
      readonly reason: string
      /** Whether it is retried automatically. */
      readonly comesBack: boolean
      /** 0 to 1. */
      readonly random: number
    }
  | { readonly kind: 'stopped' }

/** A connection that lasted this long resets the failures before it. */
const GOOD_MS = 30_000

export function nextState(state: ServerState, event: ServerEvent): ServerState {
  if (state.is === 'disabled') return state
  switch (event.kind) {
    case 'dialing':
      return { is: 'connecting', since: event.at, failures: failuresOf(state) }
    case 'listed':
      return isConnected(state) ? { is: 'ready', since: sinceOf(state), failures: failuresOf(state) } : state
    case 'list_failed':
      return isConnected(state)
        ? { is: 'degraded', since: sinceOf(state), failures: failuresOf(state), reason: event.reason }
        : state
    case 'gone': {
      const failures = wasGood(state, event.at) ? 1 : failuresOf(state) + 1
      const nextRetryAt = event.comesBack ? event.at + retryDelayMs(failures, event.random) : undefined
      return { is: 'failed', failures, reason: event.reason, nextRetryAt }
    }
    case 'stopped':
      return { is: 'idle' }
  }
}

/** A result of listing may arrive after its connection is lost: then it changes nothing. */
function isConnected({ is }: ServerState): boolean {
  return is === 'connecting' || is === 'ready' || is === 'degraded'
}

function wasGood(state: ServerState, at: number): boolean {
  return (state.is === 'ready' || state.is === 'degraded') && at - state.since >= GOOD_MS
}

function sinceOf(state: ServerState): number {
  return 'since' in state ? state.since : 0
}

function failuresOf(state: ServerState): number {
  return 'failures' in state ? state.failures : 0
}
