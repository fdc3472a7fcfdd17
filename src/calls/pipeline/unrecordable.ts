import type { CallRun } from './call-run.js'
import { stop, type Step } from './step.js'
import { toolError } from './tool-error.js'

/** A call that cannot be written down is not made. */
export function unrecordable(error: unknown, run: CallRun): Step {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'toolcrib.store_failed'
  return stop(
    toolError('dependency_unavailable', {
      code,
      message: `${run.retrying ? 'The call did not run again' : 'The call did not run'}, for it could not be recorded: ${message}`,
      retrySafe: true,
    }),
  )
}
