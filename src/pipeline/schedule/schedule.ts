import { backOff } from './back-off.js'
import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { canceledStep } from '../failures/canceled.js'
import { settled, type Later, type Step } from '../step.js'
import { unrecordable } from '../execute/unrecordable.js'

/** The last moment before anything happens: what was canceled, or could not be recorded, does not start. */
export function schedule(call: CallState, run: CallRun): Step | Promise<Step> | Later {
  if (run.retrying?.waitMs !== undefined) return backOff(run, run.retrying.waitMs)
  if (run.ports.isClosing()) run.cancelReason ??= 'runtime_shutdown'
  if (run.cancelReason !== undefined) return canceledStep(run, 'before')
  return run.ports.journal.failure() ? startIfRecordable(call, run) : run.ports.scheduling.takeTurn(call, run)
}

/** After a failed write: nothing more runs until the store takes what is waiting. */
async function startIfRecordable(call: CallState, run: CallRun): Promise<Step> {
  try {
    await run.ports.journal.flush()
    // It may have been canceled meanwhile, and has its result then.
    if (run.isOver || run.cancelReason !== undefined) return canceledStep(run, 'before')
    return await settled(run.ports.scheduling.takeTurn(call, run))
  } catch (error) {
    return unrecordable(error, run)
  }
}
