import type { ToolError } from '../../contract/objects/tool-error.js'

/** Changed by the execute phase. */
export interface AttemptState {
  /** Absent in nearly all calls: those that end with their first attempt. */
  retrying?: Retrying | undefined
  /** The deadline that the caller set for all attempts, by `performance.now()`. */
  endBy?: number | undefined
  /** The output already fits the limits, or is useless if truncated: it is not shortened. */
  boundsItself: boolean
}

/** A call after a failed attempt, before or during the next one. */
export interface Retrying {
  /** How many attempts have begun. */
  attempts: number
  /** Why the last attempt failed. */
  error: ToolError
  /** The wait before the next attempt; undefined once it is over. */
  waitMs: number | undefined
}

/** The number of the current attempt: 1, 2, … */
export function attemptOf({ retrying }: Readonly<Pick<AttemptState, 'retrying'>>): number {
  return retrying?.attempts ?? 1
}
