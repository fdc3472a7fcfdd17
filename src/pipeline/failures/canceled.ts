import type { AbortReason, ErrorClass } from '../../contract/unions.js'
import type { CallRun, Retrying } from '../call-run.js'
import { stop, type Stop } from '../step.js'
import { toolError } from './tool-error.js'

const BECAUSE: Record<AbortReason, string> = {
  user_interruption: 'it was cancelled',
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

/** The end of a cancelled call. `before`: nothing had run. `during`: it was stopped. `detached`: it would not stop. */
export function canceledStep(run: CallRun, when: 'before' | 'during' | 'detached'): Stop {
  const reason = run.cancelReason ?? 'user_interruption'
  if (when === 'before' && run.retrying) return betweenAttempts(run.retrying, reason)
  const sibling = run.slot?.canceledBy
  const because = sibling === undefined ? BECAUSE[reason] : `${BECAUSE[reason]} (${sibling})`
  const message = {
    before: `The call did not run: ${because}.`,
    during: `The call was stopped: ${because}.`,
    detached: `The call was given up: ${because}, but the tool did not stop and may still have an effect.`,
  }[when]
  return stop(
    toolError(abortClasses[reason], {
      message,
      ...(when === 'detached' && reason !== 'timeout' && { code: 'toolcrib.cancel_failed' as const }),
      recoverability: when === 'before' ? 'retry' : 'inspect_first',
      retrySafe: when === 'before',
      ...(sibling !== undefined && { details: { sibling } }),
    }),
    { abortReason: reason },
  )
}

/** Something did run and failed; that it may be repeated is the reason why the call was still open. */
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
