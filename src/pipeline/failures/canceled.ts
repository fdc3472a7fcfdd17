import type { ToolError } from '../../contract/objects/tool-error.js'
import type { AbortReason, ErrorClass } from '../../contract/unions.js'
import type { CallRun } from '../call-run.js'
import type { Retrying } from '../execute/attempt-state.js'
import { stop, type Stop } from '../step.js'
import { toolError } from './tool-error.js'

const BECAUSE: Record<AbortReason, string> = {
  user_interruption: 'it was canceled',
  sibling_error: 'a call beside it failed',
  timeout: 'it ran out of time',
  fallback: 'the model’s answer was discarded',
  runtime_shutdown: 'the crib is closed or closing; open a new one',
}

/** The class of error that a call ends with, for each reason to end it. */
export const abortClasses: Record<AbortReason, ErrorClass> = {
  user_interruption: 'canceled',
  sibling_error: 'sibling_canceled',
  timeout: 'timeout',
  fallback: 'streaming_fallback_discarded',
  runtime_shutdown: 'canceled',
}

/**
 * When a call was canceled. `before`: nothing had run. `during`: it was stopped. In the others the tool may still run:
 * `detached`: it did not stop. `unconfirmed`: nothing confirms that it stopped. `failed`: it ended with an error of its
 * own.
 */
type CancelMoment = 'before' | 'during' | 'detached' | 'unconfirmed' | 'failed'

/** The end of a canceled call. `failure` is the tool's own error. */
export function canceledStep(run: CallRun, when: CancelMoment, failure?: ToolError): Stop {
  const reason = run.cancelReason ?? 'user_interruption'
  if (when === 'before' && run.retrying) return betweenAttempts(run.retrying, reason)
  const sibling = run.slot?.canceledBy
  const because = sibling === undefined ? BECAUSE[reason] : `${BECAUSE[reason]} (${sibling})`
  const message = {
    before: `The call did not run: ${because}.`,
    during: `The call was stopped: ${because}.`,
    detached: `The call was given up: ${because}, but the tool did not stop and may still have an effect.`,
    unconfirmed: `The call was given up: ${because}, but nothing confirms that the tool stopped; it may still have an effect.`,
    failed: `The call was given up: ${because}, but the tool failed instead of stopping and may still have an effect. Its error: ${failure?.message}`,
  }[when]
  const mayGoOn = when !== 'before' && when !== 'during'
  return stop(
    toolError(abortClasses[reason], {
      message,
      ...(mayGoOn && reason !== 'timeout' && { code: 'toolcrib.cancel_failed' as const }),
      recoverability: when === 'before' ? 'retry' : 'inspect_first',
      retrySafe: when === 'before',
      nativeErrorRef: failure?.native_error_ref,
      ...(sibling !== undefined && { details: { sibling } }),
    }),
    { abortReason: reason },
  )
}

/** An attempt did run and failed. The call may be repeated; otherwise it would have ended with that attempt. */
function betweenAttempts({ error }: Retrying, reason: AbortReason): Stop {
  return stop(
    toolError(abortClasses[reason], {
      message: `The call was given up between two attempts: ${BECAUSE[reason]}. The last one failed: ${error.message}`,
      recoverability: 'retry',
      retrySafe: true,
    }),
    { abortReason: reason },
  )
}
