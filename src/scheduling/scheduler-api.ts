import type { Scheduling } from '../pipeline/schedule/scheduling.js'
import type { LockTable } from './lock-table.js'
import type { RateLimits } from './rate-limits.js'
import type { SharedLocks } from './shared-locks.js'
import { type TurnOptions, Turn } from './turn.js'
import type { Claim } from './claim.js'

/** The scheduler of all calls of a crib. */
export interface Scheduler extends Scheduling {
  readonly table: LockTable
  readonly rateLimits: RateLimits | undefined
  readonly sharedLocks: SharedLocks | undefined
  /** Opens a turn of a session. The turns of one session follow each other; a turn without a session is independent. */
  openTurn(session: { tenant: string; session: string | undefined }, options: TurnOptions): Turn
  /** Runs work in a microtask: calls that admit each other would otherwise recurse without limit. */
  defer(work: { resume(): void }): void
}

/** What a call needs before it runs. */
export interface Needs {
  readonly limits: RateLimits | undefined
  readonly claims: readonly Claim[]
  /** The claims among them that apply across processes. */
  readonly shared: readonly Claim[]
}
