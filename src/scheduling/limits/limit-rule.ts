/** What calls are counted by, in the order in which keys and sentences name it. */
export const limitDimensions = ['tool', 'source', 'tenant', 'actor'] as const
export type LimitDimension = (typeof limitDimensions)[number]

/** Which ones a limit is about: names, or patterns with `*`. */
export type LimitScope = Partial<Record<LimitDimension, string | readonly string[]>>

/** How many calls may come. At least one of `perMinute`, `concurrent` and `perRun`. */
export interface LimitRule {
  /** Whose calls are counted together. Of a list, each combination is counted apart. */
  by: LimitDimension | readonly LimitDimension[]
  /** Which ones the limit is about. A text means what `by` says. Absent: every one. */
  of?: string | readonly string[] | LimitScope
  perMinute?: number
  /** How many may come at once after a pause. As many as `perMinute`, unless said. */
  burst?: number
  /** How many may run at the same time. */
  concurrent?: number
  /** How many there may be in one run: the session of the surface or, where it has none, the surface itself. */
  perRun?: number
  /** What happens to a call over `perMinute` or `concurrent`. A spent `perRun` always refuses. */
  over?: 'wait' | 'refuse'
  /** A call that would have to wait longer for `perMinute` is refused. A minute, unless said. */
  maxWaitMs?: number
}

/** When to stop calling a source that does not answer, and how to find out that it is back. */
export interface BreakerOptions {
  /** So many failures in a row open the circuit. 5, unless said. */
  failures?: number
  /** How long it stays open. 30 seconds, unless said. */
  openMs?: number
  /** How many calls are then let through to try; it closes when all of them went well. 1, unless said. */
  probes?: number
  /** Names of sources, or patterns with `*`. Absent: every source. */
  sources?: readonly string[]
}
