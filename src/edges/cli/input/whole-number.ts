import { usageProblem } from '../program/usage-problem.js'

/** The value of an option that takes a count. */
export function wholeNumber(flag: string, given: unknown): number {
  const number = Number(given)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw usageProblem(`${flag} takes a whole number above 0, not "${String(given)}".`)
}
