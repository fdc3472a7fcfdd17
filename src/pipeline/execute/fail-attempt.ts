import type { ToolError } from '../../contract/objects/tool-error.js'
import { resolveRetries } from '../../catalog/resolve-retries.js'
import type { RetryPace } from '../../catalog/retries.js'
import { attemptOf } from './attempt-state.js'
import { moveTo, record } from '../record.js'
import type { ExecuteRun } from './execute-ports.js'
import type { CallState } from '../call-state.js'
import { leftMs } from './left-ms.js'
import { mayRepeat } from './may-repeat.js'
import { planRetry } from './plan-retry.js'
import { retry, stop, type Patch, type Step } from '../step.js'

export interface AttemptFailure {
  readonly error: ToolError
  readonly patch: Patch
  /** Whether the tool itself says that it may or must not run again. Absent: its facts decide. */
  readonly repetition?: 'allowed' | 'never'
}

/** Handles a failed attempt: the call ends with its error, or is scheduled for another attempt. */
export function failAttempt(
  call: CallState,
  run: ExecuteRun,
  { error, patch, repetition }: AttemptFailure,
): Step {
  const attempt = attemptOf(run)
  const plan =
    isWanted(run, patch) && repetition !== 'never'
      ? planRetry({
          attempt,
          error,
          mayRepeat: repetition === 'allowed' || mayRepeat(call, run),
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
  // A timed-out attempt has aborted its signal; the next one gets another.
  if (run.cancelReason !== undefined) {
    run.cancelReason = undefined
    run.controller = undefined
  }
  return retry({ startedAt: patch.startedAt })
}

/** Whether the call may go on. A timed-out attempt has canceled only itself. */
function isWanted(run: ExecuteRun, { abortReason }: Patch): boolean {
  return run.cancelReason === abortReason && !run.isLost && !run.ports.isClosing()
}

/** The retries of this call: its own, or its tool's, or the crib's. */
export function retriesOf({ request }: CallState, { tool, ports }: ExecuteRun): Required<RetryPace> {
  return resolveRetries([request.retries, tool!.draft.execution.retries, ports.defaultRetries])
}
