import { isObject } from '../platform/json/is-object.js'
import { checkOptions } from '../platform/validation/check-options.js'
import type { RetryPace } from './retries.js'

const PACE = { max: 'number', baseMs: 'positive', maxMs: 'positive' } as const
const DAY_MS = 86_400_000

/** Throws one sentence about invalid `retries`. */
export function checkRetries(where: string, given: unknown): void {
  if (given === undefined || isCount(given)) return
  if (!isObject(given)) {
    throw new TypeError(
      `${where}: "retries" must be a whole number of at least 0, such as 2, or an object such as { max: 2, baseMs: 500 }.`,
    )
  }
  checkOptions(`${where}: "retries"`, given, PACE)
  const { max, baseMs = 0, maxMs = DAY_MS }: Partial<RetryPace> = given
  if (!isCount(max)) {
    throw new TypeError(`${where}: "retries" needs "max", a whole number of at least 0, such as { max: 2 }.`)
  }
  // A timer with a much longer delay would fire at once.
  if (maxMs > DAY_MS || baseMs > maxMs) {
    throw new TypeError(
      `${where}: "retries" needs a "baseMs" that is at most "maxMs", and a "maxMs" of at most a day (${DAY_MS}).`,
    )
  }
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0
}
