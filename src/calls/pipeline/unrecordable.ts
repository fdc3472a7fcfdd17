import type { CallRun } from './call-run.js'
import { stop, type Step } from './step.js'
import { toolError } from './tool-error.js'

/** A call that cannot be written down, counted or kept apart from others, because the store fails, is not made. */
export function unrecordable(error: unknown, run: CallRun, why = 'it could not be recorded'): Step {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'toolcrib.store_failed'
  return stop(
    toolError('dependency_unavailable', {
      code,
      message: `${run.retrying ? 'The call did not run again' : 'The call did not run'}, for ${why}: ${message}`,
      retrySafe: true,
    }),
  )
}
