import type { Identity } from '../../server/admission.js'

/** The longest time that a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Calls back when the credentials of a caller end: its token is revoked or expires, or somebody logs out of its session.
 * They may have ended since the request was admitted. Returns a function that stops it.
 */
export function whenCredentialsEnd({ signal, session, caller }: Identity, ended: () => void): () => void {
  const expiresAt = session?.expiresAt ?? caller.expiresAt
  const timer =
    expiresAt === undefined
      ? undefined
      : setTimeout(ended, Math.min(expiresAt - Date.now(), MAX_TIMER_MS)).unref()
  const stopWaiting = session?.onEnd(ended)
  signal?.addEventListener('abort', ended, { once: true })
  if (signal?.aborted === true) ended()
  return () => {
    signal?.removeEventListener('abort', ended)
    stopWaiting?.()
    clearTimeout(timer)
  }
}
