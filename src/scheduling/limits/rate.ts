/** Calls per minute, and up to `burst` of them together after a pause. */
export interface Rate {
  readonly perMinute: number
  readonly burst: number
}

const MINUTE_MS = 60_000

/** How much the clocks of machines that share a store may differ. */
const MAX_SKEW_MS = 60_000

/** The time between two calls at the steady pace. Rounded up to a fraction that can be summed without rounding errors. */
const intervalMs = ({ perMinute }: Rate): number => Math.ceil((MINUTE_MS / perMinute) * 1024) / 1024

/*
 * The generic cell rate algorithm. Its state is one time: when the next call would be due if all calls so far had come
 * at the steady pace. Each call moves it ahead of the clock; a call is allowed while it is less than a burst ahead. So
 * any interval has at most `burst` calls and one more for each full interval.
 */

/**
 * Whole milliseconds until a call is allowed, when `waiting` calls wait before it; 0: now. This is the minimum: one
 * millisecond less would be too early.
 */
export function waitMsFor(dueAt: number | undefined, rate: Rate, now: number, waiting = 0): number {
  const most = (rate.burst - 1 - waiting) * intervalMs(rate)
  return Math.max(0, Math.ceil(aheadOf(dueAt, rate, now) - most))
}

/** The state after a call. */
export function dueAfter(dueAt: number | undefined, rate: Rate, now: number): number {
  return now + aheadOf(dueAt, rate, now) + intervalMs(rate)
}

/** How many calls of the burst are used; they recover one by one. */
export function usedOf(dueAt: number | undefined, rate: Rate, now: number): number {
  return Math.min(rate.burst, Math.ceil(aheadOf(dueAt, rate, now) / intervalMs(rate)))
}

function aheadOf(dueAt: number | undefined, rate: Rate, now: number): number {
  if (dueAt === undefined || dueAt <= now) return 0
  const most = rate.burst * intervalMs(rate)
  const ahead = dueAt - now
  // No call moves it further ahead than a burst: the clock was set back. The next call is allowed and corrects the
  // state.
  return ahead > most + MAX_SKEW_MS ? most - intervalMs(rate) : ahead
}
