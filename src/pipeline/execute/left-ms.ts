import type { CallRun } from '../call-run.js'

/** What is left of the time that the caller gave for the whole call; without end where they gave none. */
export function leftMs({ endBy }: CallRun): number {
  return endBy === undefined ? Number.POSITIVE_INFINITY : endBy - performance.now()
}
