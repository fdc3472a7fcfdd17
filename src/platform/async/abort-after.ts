/**
 * A signal that aborts after a time, or with another signal. `AbortSignal.any` alone does not keep the signal of a
 * timeout in memory: after a garbage collection the limit would never come.
 */
export function abortAfter(timeoutMs: number, signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(timeoutMs)
  if (!signal) return limit
  // Node keeps a signal with a listener until it aborts.
  limit.addEventListener('abort', () => {}, { once: true })
  return AbortSignal.any([signal, limit])
}
