import { useState } from 'react'
import { toApiError, type ApiError } from '../api/http.js'

export interface Action {
  readonly isBusy: boolean
  readonly error: ApiError | undefined
  /** Does it, unless it is under way. A failure is kept to be shown. */
  readonly run: (work: () => Promise<void>) => void
  readonly clear: () => void
}

/** Something that a person starts with a button. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  return {
    isBusy,
    error,
    run(work) {
      if (isBusy) return
      setBusy(true)
      setError(undefined)
      work()
        .catch((failure: unknown) => setError(toApiError(failure)))
        .finally(() => setBusy(false))
    },
    clear: () => setError(undefined),
  }
}
