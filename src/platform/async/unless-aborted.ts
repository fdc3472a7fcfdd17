import type { StopSignal } from './stop-signal.js'

/** The promise, or the signal's reason if the signal is aborted first. A later failure of the promise is ignored. */
export function unlessAborted<Value>(
  promise: Promise<Value>,
  signal: StopSignal | undefined,
): Promise<Value> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = { handleEvent: (): void => reject(signal.reason as Error) }
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
    if (signal.aborted) return stop.handleEvent()
    signal.addEventListener('abort', stop)
  })
}
