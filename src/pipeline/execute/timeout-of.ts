import type { ExecuteRun } from './execute-ports.js'
import type { TimedRun } from './time-ports.js'
import { inputOf, type CallState } from '../call-state.js'
import { retriesOf } from './fail-attempt.js'
import { leftMs } from './left-ms.js'

/** For one attempt: the tool's own timeout, but no more than is left of the caller's. */
export function timeoutOf(call: CallState, run: ExecuteRun): number {
  const ofToolMs = toolTimeout(call, run)
  if (run.endBy === undefined) return ofToolMs
  const left = Math.max(1, Math.ceil(leftMs(run)))
  // With one attempt both mean the same, and the caller knows better how long the call may take.
  return retriesOf(call, run).max > 0 ? Math.min(ofToolMs, left) : left
}

/** How long the call may take: the caller's value, or the tool's, or the crib's. */
export function statedTimeout(call: CallState, run: TimedRun): number {
  return usable(call.request.timeoutMs) ?? toolTimeout(call, run)
}

/** What the input asks for, or the tool's own timeout, or the crib's. */
function toolTimeout(call: CallState, { tool, ports }: TimedRun): number {
  const { timeoutMs, timeoutFor } = tool!.draft.execution
  const asked = timeoutFor && (timeoutFor as (input: unknown) => number | undefined)(inputOf(call, 'call'))
  return usable(asked) ?? usable(timeoutMs) ?? ports.defaultTimeoutMs
}

/** A timeout of zero or less counts as not given. */
export function usable(timeoutMs: number | undefined): number | undefined {
  return timeoutMs !== undefined && timeoutMs > 0 ? timeoutMs : undefined
}
