import { isStoreError } from '../../storage/store-error.js'
import type { CallRun } from '../call-run.js'
import { nativeErrorRef } from '../failures/native-error-ref.js'
import { stop, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'

/** A call that cannot be written down, counted or kept apart from others, because the store fails, is not made. */
export function unrecordable(error: unknown, run: CallRun, why = 'it could not be recorded'): Step {
  const message = error instanceof Error ? error.message : String(error)
  return stop(
    toolError('dependency_unavailable', {
      code: isStoreError(error) ? error.code : 'toolcrib.store_failed',
      message: `${run.retrying ? 'The call did not run again' : 'The call did not run'}, for ${why}: ${message}`,
      retrySafe: true,
      nativeErrorRef: nativeErrorRef(error, run),
    }),
  )
}
