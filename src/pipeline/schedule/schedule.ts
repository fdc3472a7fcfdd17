import type { ScheduleRun } from './schedule-ports.js'
import { signalOf } from '../cancel-state.js'
import type { CallState } from '../call-state.js'
import { canceledStep } from '../failures/canceled.js'
import { settled, type Later, type Step, retry } from '../step.js'
import { unrecordable } from '../execute/unrecordable.js'

/** The last phase before the tool runs: a call that was canceled, or cannot be recorded, does not start. */
export function schedule(call: CallState, run: ScheduleRun): Step | Promise<Step> | Later {
  if (run.retrying?.waitMs !== undefined) return backOff(run, run.retrying.waitMs)
  if (run.ports.isClosing()) run.cancelReason ??= 'runtime_shutdown'
  if (run.cancelReason !== undefined) return canceledStep(run, 'before')
  return run.ports.journal.failure() ? startIfRecordable(call, run) : run.ports.scheduling.takeTurn(call, run)
}

/** After a failed write, nothing runs until the store accepts the pending facts. */
async function startIfRecordable(call: CallState, run: ScheduleRun): Promise<Step> {
  try {
    await run.ports.journal.flush()
    // The call may have been canceled meanwhile, and then has its result.
    if (run.isOver || run.cancelReason !== undefined) return canceledStep(run, 'before')
    return await settled(run.ports.scheduling.takeTurn(call, run))
  } catch (error) {
    return unrecordable(error, run)
  }
}

/**
 * Waits before another attempt; then the call is scheduled like any other. A closing crib ends the wait early, and a
 * cancellation at once: the timer keeps the process alive, so it must not outlive the wait.
 */
function backOff(run: ScheduleRun, waitMs: number): Promise<Step> {
  const { closing } = run.ports
  const canceled = signalOf(run)
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      closing.removeEventListener('abort', onClosing)
      canceled.removeEventListener('abort', end)
      run.retrying!.waitMs = undefined
      resolve(retry())
    }
    // A call that was taken over from a dead process may end while its new crib closes.
    const onClosing = (): void => {
      if (run.ports.isClosing()) end()
    }
    const timer = setTimeout(end, waitMs)
    closing.addEventListener('abort', onClosing)
    canceled.addEventListener('abort', end)
  })
}
