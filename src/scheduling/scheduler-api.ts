import type { Scheduling } from '../pipeline/schedule/scheduling.js'
import type { LockTable } from './lock-table.js'
import type { RateLimits } from './rate-limits.js'
import type { SharedLocks } from './shared-locks.js'
import { type TurnOptions, Turn } from './turn.js'
import type { Claim } from './claim.js'

/** Whose turn it is, among all calls of a crib. */
export interface Scheduler extends Scheduling {
  readonly table: LockTable
  readonly rateLimits: RateLimits | undefined
  readonly sharedLocks: SharedLocks | undefined
  /** Opens a turn of a session. Turns of one session follow each other; without a session, a turn stands alone. */
  openTurn(session: { tenant: string; session: string | undefined }, options: TurnOptions): Turn
  /** Does something once the present call has gone on: calls that free each other would nest without end. */
  soon(work: { resume(): void }): void
}

/** What a call has to have before it runs. */
export interface Needs {
  readonly limits: RateLimits | undefined
  readonly claims: readonly Claim[]
  /** Those of them that reach across processes. */
  readonly shared: readonly Claim[]
}
