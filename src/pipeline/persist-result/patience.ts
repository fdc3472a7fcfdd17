import { signalOf, type CallRun } from '../call-run.js'

/** How long a call waits, in all, for the place that its result goes to. */
export interface Patience {
  /** Fails when it is over; the work is told and may end whenever it does. */
  within<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value>
  end(): void
}

const PATIENCE_MS = 60_000

/** A store that hangs must hold neither the call nor whoever cancels it: the result is worth more than its keeping. */
export function createPatience(run: CallRun): Patience {
  const over = new AbortController()
  const giveUp = (): void => over.abort(new Error('the blob store did not answer in time'))
  let timer = setTimeout(giveUp, PATIENCE_MS)
  // A store that is well is about to answer: what a canceled tool has done is still kept then.
  const hurry = (): void => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, run.ports.cancelGraceMs)
  }
  const canceled = signalOf(run)
  if (canceled.aborted) hurry()
  else canceled.addEventListener('abort', hurry, { once: true })
  return {
    async within(work) {
      over.signal.throwIfAborted()
      let stop: (() => void) | undefined
      const ended = new Promise<never>((_, reject) => {
        stop = () => reject(over.signal.reason)
        over.signal.addEventListener('abort', stop, { once: true })
      })
      const working = work(over.signal)
      // What fails after the end is heard by nobody.
      working.catch(() => {})
      try {
        return await Promise.race([working, ended])
      } finally {
        over.signal.removeEventListener('abort', stop!)
      }
    },
    end() {
      clearTimeout(timer)
      canceled.removeEventListener('abort', hurry)
    },
  }
}
