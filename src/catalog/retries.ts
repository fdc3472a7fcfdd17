/** How often a failed call is retried, and the delays between its attempts. */
export interface RetryPace {
  /** Attempts after the first. */
  max: number
  /** The first delay, approximately; each further one is twice as long. */
  baseMs?: number
  /** The longest delay. A service that requests a longer one is not retried. */
  maxMs?: number
}

/** A number only sets how often. */
export type Retries = number | RetryPace
