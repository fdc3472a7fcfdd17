import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { canceledStep } from '../canceled.js'
import { proceed, stop, type Step } from '../step.js'
import { toolError } from '../tool-error.js'

/** The last moment before anything happens: what was cancelled, or could not be recorded, does not start. */
export function schedule(_call: CallState, run: CallRun): Step | Promise<Step> {
  if (run.world.isClosing()) run.cancelReason ??= 'runtime_shutdown'
  if (run.cancelReason !== undefined) return canceledStep(run, 'before')
  return run.world.journal.failure() ? startIfRecordable(run) : proceed()
}

/** After a failed write: nothing more runs until the store takes what is waiting. */
async function startIfRecordable(run: CallRun): Promise<Step> {
  try {
    await run.world.journal.flush()
    return proceed()
  } catch (error) {
    return unrecordable(error)
  }
}

/** A call that cannot be written down is not made. */
export function unrecordable(error: unknown): Step {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'toolcrib.store_failed'
  return stop(
    toolError('dependency_unavailable', {
      code,
      message: `The call did not run, for it could not be recorded: ${message}`,
      retrySafe: true,
    }),
  )
}
