import type { LimitedCall } from '../rate-limits.js'
import type { CountedBy, Need, RunName, Short } from './need.js'

/** Where calls are counted: in this process, or in the store for all that share it. */
export interface Counters {
  /** Counts a call under all of its needs, or under none of them and says what is short. */
  take(needs: readonly Need[], call: LimitedCall): Short | undefined | Promise<Short | undefined>
  list(): Promise<Count[]>
}

/** What is kept of one count, and whose it is. */
export interface Count {
  readonly limitId: string
  readonly kind: Need['kind']
  readonly of: CountedBy
  readonly run?: RunName | undefined
  /** For a rate, when the next call is due at the steady pace; for a run, how many there were. */
  kept: number
  /** Milliseconds. */
  usedAt: number
}

const RATE_KEPT_MS = 60 * 60_000
const RUN_KEPT_MS = 7 * 24 * 60 * 60_000

/** Whether a count may be forgotten. A rate is as good as new by then; a run that comes back later begins anew. */
export function isUnused({ kind, kept, usedAt }: Count, now: number): boolean {
  return kind === 'rate' ? Math.max(kept, usedAt) + RATE_KEPT_MS < now : usedAt + RUN_KEPT_MS < now
}
