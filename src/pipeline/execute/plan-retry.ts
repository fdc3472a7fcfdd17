import type { ToolError } from '../../contract/objects/tool-error.js'
import { guidanceOf } from '../../contract/describe-error.js'
import type { ErrorClass } from '../../contract/unions.js'
import type { RetryPace } from '../../catalog/retries.js'

/** With any other class, the same call would end the same way. */
const MAY_END_DIFFERENTLY: readonly ErrorClass[] = [
  'dependency_unavailable',
  'rate_limited',
  'timeout',
  'execution_failed',
]

export interface FailedAttempt {
  /** The number of the attempt: 1, 2, … */
  attempt: number
  error: ToolError
  /** A second run does no harm, also where the first one had an effect. */
  mayRepeat: boolean
  pace: Required<RetryPace>
  /** How much of the caller's time is left. */
  leftMs: number
  random: () => number
}

/** Whether another attempt follows, and after which wait. A call whose effect might happen twice is not repeated. */
export function planRetry({
  attempt,
  error,
  mayRepeat,
  pace,
  leftMs,
  random,
}: FailedAttempt): { waitMs: number } | undefined {
  if (attempt > pace.max) return undefined
  if (!MAY_END_DIFFERENTLY.includes(error.error_class)) return undefined
  const { safe, change_arguments: needsChange } = guidanceOf(error)
  if (needsChange || (!mayRepeat && !safe)) return undefined
  const askedMs = (error.retry_after ?? 0) * 1000
  if (askedMs > pace.maxMs) return undefined
  const waitMs = Math.ceil(Math.max(askedMs, jittered(attempt, pace, random())))
  return waitMs < leftMs ? { waitMs } : undefined
}

/** Doubles each time, and half of it is random: calls that failed together do not return together. */
function jittered(attempt: number, { baseMs, maxMs }: Required<RetryPace>, chance: number): number {
  const fullMs = Math.min(maxMs, baseMs * 2 ** (attempt - 1))
  return fullMs / 2 + (fullMs / 2) * chance
}
