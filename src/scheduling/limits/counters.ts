import type { LimitedCall } from '../rate-limits.js'
import type { CountedBy, Need, RunName, Shortage } from './need.js'

/** Counts calls: in this process, or in the store for all processes that share it. */
export interface Counters {
  /** Counts a call under all of its needs. If one of them has no capacity, counts nothing and returns the shortage. */
  take(needs: readonly Need[], call: LimitedCall): Shortage | undefined | Promise<Shortage | undefined>
  list(): Promise<Count[]>
}

/** One stored count, and what it counts. */
export interface Count {
  readonly limitId: string
  readonly kind: Need['kind']
  readonly of: CountedBy
  readonly run?: RunName | undefined
  /** For a rate: when the next call is due at the steady pace. For a run: the number of calls. */
  kept: number
  /** Milliseconds since the epoch. */
  usedAt: number
}

const RATE_KEPT_MS = 60 * 60_000
const RUN_KEPT_MS = 7 * 24 * 60 * 60_000

/** Whether a count may be removed. By then a rate has its full burst again; a run that continues later starts at 0. */
export function isUnused({ kind, kept, usedAt }: Count, now: number): boolean {
  return kind === 'rate' ? Math.max(kept, usedAt) + RATE_KEPT_MS < now : usedAt + RUN_KEPT_MS < now
}
