import { useState } from 'react'
import { toApiError, type ApiError } from '../api/http.js'
import { ONLY_RESYNC, useEvents } from './use-events.js'

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
  const [error, setError] = useFailure()
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

/** A failure to be shown. One of the connection is over when the connection is back. */
export function useFailure(): [ApiError | undefined, (error: ApiError | undefined) => void] {
  const [error, setError] = useState<ApiError>()
  useEvents(ONLY_RESYNC, () => setError((before) => (before?.status === 0 ? undefined : before)))
  return [error, setError]
}
