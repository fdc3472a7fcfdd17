/** What calls are counted by, in the order used in keys and messages. */
export const limitDimensions = ['tool', 'source', 'tenant', 'actor'] as const
export type LimitDimension = (typeof limitDimensions)[number]

/** What a limit applies to: names, or patterns with `*`. */
export type LimitScope = Partial<Record<LimitDimension, string | readonly string[]>>

/** How many calls are allowed. Needs at least one of `perMinute`, `concurrent` and `perRun`. */
export interface LimitRule {
  /** What calls are counted by. With a list, each combination is counted separately. */
  by: LimitDimension | readonly LimitDimension[]
  /** What the limit applies to. A string refers to the dimension in `by`. Absent: everything. */
  of?: string | readonly string[] | LimitScope
  perMinute?: number
  /** How many calls may come together after a pause. Default: `perMinute`. */
  burst?: number
  /** How many may run at the same time. */
  concurrent?: number
  /** How many calls one run may make. A run is the session of the surface or, without a session, the surface itself. */
  perRun?: number
  /** What happens to a call over `perMinute` or `concurrent`. A call over `perRun` is always refused. */
  over?: 'wait' | 'refuse'
  /** A call that would have to wait longer for `perMinute` is refused. Default: one minute. */
  maxWaitMs?: number
}

/** When to stop calling a source that fails, and how to detect that it works again. */
export interface BreakerOptions {
  /** How many consecutive failures open the circuit. Default: 5. */
  failures?: number
  /** How long the circuit stays open. Default: 30 seconds. */
  openMs?: number
  /** How many probe calls are then admitted; the circuit closes when all of them succeed. Default: 1. */
  probes?: number
  /** Names of sources, or patterns with `*`. Absent: every source. */
  sources?: readonly string[]
}
