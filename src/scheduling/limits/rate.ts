/** So many calls a minute, and up to `burst` of them at once after a pause. */
export interface Rate {
  readonly perMinute: number
  readonly burst: number
}

const MINUTE_MS = 60_000

/** Clocks of machines that share a store may differ by so much. */
const MAX_SKEW_MS = 60_000

/** Between two calls at the steady pace. Rounded up to a fraction of which sums of times are exact, however many. */
const intervalMs = ({ perMinute }: Rate): number => Math.ceil((MINUTE_MS / perMinute) * 1024) / 1024

/*
 * The generic cell rate algorithm. All that is kept is one time: when the next call would be due if every call so far had
 * come at the steady pace. It runs ahead of the clock with each call and is caught up by it; a call may come as long as it
 * is less than a burst ahead. So any stretch of time holds at most `burst` calls and one more for each full interval.
 */

/**
 * How many whole milliseconds until a call may come, when so many wait before it; 0: now. Exactly enough: one less would be
 * too early.
 */
export function waitMsFor(dueAt: number | undefined, rate: Rate, now: number, waiting = 0): number {
  const most = (rate.burst - 1 - waiting) * intervalMs(rate)
  return Math.max(0, Math.ceil(aheadOf(dueAt, rate, now) - most))
}

/** What is kept once a call has come. */
export function dueAfter(dueAt: number | undefined, rate: Rate, now: number): number {
  return now + aheadOf(dueAt, rate, now) + intervalMs(rate)
}

/** How many calls of the burst are used up; they come back one by one. */
export function usedOf(dueAt: number | undefined, rate: Rate, now: number): number {
  return Math.min(rate.burst, Math.ceil(aheadOf(dueAt, rate, now) / intervalMs(rate)))
}

function aheadOf(dueAt: number | undefined, rate: Rate, now: number): number {
  if (dueAt === undefined || dueAt <= now) return 0
  const most = rate.burst * intervalMs(rate)
  const ahead = dueAt - now
  // No call leaves it further ahead than a burst: the clock was set back. One call comes in, and sets it right.
  return ahead > most + MAX_SKEW_MS ? most - intervalMs(rate) : ahead
}
