import { errorMessage } from '../../platform/text/error-message.js'
import { isStoreError } from '../../storage/store-error.js'
import type { CallRun } from '../call-run.js'
import { nativeErrorRef } from '../failures/native-error-ref.js'
import { stop, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'

/** Ends a call that cannot be recorded, counted or locked because the store fails. */
export function unrecordable(error: unknown, run: CallRun, why = 'it could not be recorded'): Step {
  const message = errorMessage(error)
  return stop(
    toolError('dependency_unavailable', {
      code: isStoreError(error) ? error.code : 'toolcrib.store_failed',
      message: `${run.retrying ? 'The call did not run again' : 'The call did not run'}, for ${why}: ${message}`,
      retrySafe: true,
      nativeErrorRef: nativeErrorRef(error, run),
    }),
  )
}
