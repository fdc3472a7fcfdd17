import type { ToolError } from '../../contract/objects/tool-error.js'
import { guidanceOf } from '../../contract/tell-error.js'
import type { ErrorClass } from '../../contract/unions.js'
import type { RetryPace } from '../../catalog/retries.js'

/** The others say that the same call would end the same way. */
const MAY_END_DIFFERENTLY: readonly ErrorClass[] = [
  'dependency_unavailable',
  'rate_limited',
  'timeout',
  'execution_failed',
]

export interface FailedAttempt {
  /** Which one it was: 1, 2, … */
  attempt: number
  error: ToolError
  /** A second run does no harm, whatever became of the first. */
  mayRepeat: boolean
  pace: Required<RetryPace>
  /** What is left of the time that the caller gave. */
  leftMs: number
  random: () => number
}

/** Whether another attempt follows, and after which wait. Nothing is repeated that might then happen twice. */
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
  if (!mayRepeat && !guidanceOf(error).safe) return undefined
  const askedMs = (error.retry_after ?? 0) * 1000
  if (askedMs > pace.maxMs) return undefined
  const waitMs = Math.ceil(Math.max(askedMs, jittered(attempt, pace, random())))
  return waitMs < leftMs ? { waitMs } : undefined
}

/** Twice as long each time, half of it left to chance: many who failed at once do not come back at once. */
function jittered(attempt: number, { baseMs, maxMs }: Required<RetryPace>, chance: number): number {
  const fullMs = Math.min(maxMs, baseMs * 2 ** (attempt - 1))
  return fullMs / 2 + (fullMs / 2) * chance
}
