/** How often a call that failed is tried again, and how long the waits between its attempts are. */
export interface RetryPace {
  /** Attempts after the first. */
  max: number
  /** About the first wait; each further one is twice as long. */
  baseMs?: number
  /** No wait is longer. A service that wants more time than this is not waited for. */
  maxMs?: number
}

/** A number says only how often. */
export type Retries = number | RetryPace
