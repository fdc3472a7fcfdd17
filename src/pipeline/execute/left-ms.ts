import type { TimedRun } from './time-ports.js'

/** How much of the caller's time for the whole call is left; infinite if the caller set none. */
export function leftMs({ endBy }: TimedRun): number {
  return endBy === undefined ? Number.POSITIVE_INFINITY : endBy - performance.now()
}
