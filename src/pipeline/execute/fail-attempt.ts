import type { ToolError } from '../../contract/objects/tool-error.js'
import { resolveRetries } from '../../catalog/resolve-retries.js'
import type { RetryPace } from '../../catalog/retries.js'
import { attemptOf, moveTo, record, type CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { leftMs } from './left-ms.js'
import { mayRepeat } from './may-repeat.js'
import { planRetry } from './plan-retry.js'
import { retry, stop, type Patch, type Step } from '../step.js'

/** An attempt ended badly: the call ends with its error, or stands in line for another one. */
export function failAttempt(
  call: CallState,
  run: CallRun,
  { error, patch }: { error: ToolError; patch: Patch },
): Step {
  const attempt = attemptOf(run)
  const plan = isWanted(run, patch)
    ? planRetry({
        attempt,
        error,
        mayRepeat: mayRepeat(call, run),
        pace: retriesOf(call, run),
        leftMs: leftMs(run),
        random: run.ports.random,
      })
    : undefined
  if (!plan) return stop(error, patch)
  const { error_class, error_code, message } = error
  record(run, 'toolcrib.invocation.attempt_failed', {
    attempt,
    error: { error_class, error_code, message },
    retry_in_ms: plan.waitMs,
  })
  moveTo(run, 'queued', 'tool.invocation.queued')
  run.retrying = { attempts: attempt, error, waitMs: plan.waitMs }
  // An attempt that ran out of time has aborted its signal; the next one gets another.
  if (run.cancelReason !== undefined) {
    run.cancelReason = undefined
    run.controller = undefined
  }
  return retry({ startedAt: patch.startedAt })
}

/** Whether anybody still waits for the call. An attempt that ran out of time has only canceled itself. */
function isWanted(run: CallRun, { abortReason }: Patch): boolean {
  return run.cancelReason === abortReason && !run.isLost && !run.ports.isClosing()
}

/** What holds for this call: its own word, or its tool's, or the crib's. */
export function retriesOf({ request }: CallState, { tool, ports }: CallRun): Required<RetryPace> {
  return resolveRetries([request.retries, tool!.draft.execution.retries, ports.defaultRetries])
}
