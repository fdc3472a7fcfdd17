import type { AbortReason } from '../../foundation/contract/unions.js'
import type { CallRun } from './call-run.js'
import { stop, type Stop } from './step.js'
import { toolError } from './tool-error.js'

const BECAUSE: Record<AbortReason, string> = {
  user_interruption: 'it was cancelled',
  sibling_error: 'a call beside it failed',
  timeout: 'it ran out of time',
  fallback: 'the model’s answer was discarded',
  runtime_shutdown: 'the crib is closed or closing; open a new one',
}

/** The end of a cancelled call. `before`: nothing had run. `during`: it was stopped. `detached`: it would not stop. */
export function canceledStep(run: CallRun, when: 'before' | 'during' | 'detached'): Stop {
  const reason = run.cancelReason ?? 'user_interruption'
  const because = BECAUSE[reason]
  const message = {
    before: `The call did not run: ${because}.`,
    during: `The call was stopped: ${because}.`,
    detached: `The call was given up: ${because}, but the tool did not stop and may still have an effect.`,
  }[when]
  return stop(
    toolError('canceled', {
      message,
      recoverability: when === 'before' ? 'retry' : 'inspect_first',
      retrySafe: when === 'before',
    }),
    { abortReason: reason },
  )
}
