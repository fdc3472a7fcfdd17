import { signalOf } from '../cancel-state.js'
import type { PersistRun } from './persist-ports.js'

/** The time limit for all storage work of one call. */
export interface StorageTimeLimit {
  /** Rejects when the time is over. The work gets a signal, and may end later. */
  within<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value>
  end(): void
}

const STORAGE_LIMIT_MS = 60_000

/** A hanging store must hold neither the call nor its cancellation: the result matters more than storing it. */
export function createStorageTimeLimit(run: PersistRun): StorageTimeLimit {
  const over = new AbortController()
  const giveUp = (): void => over.abort(new Error('the blob store did not answer in time'))
  let timer = setTimeout(giveUp, STORAGE_LIMIT_MS)
  // After a cancellation the store gets the grace time, so that a working store still stores the output.
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
      // A failure after the time limit is ignored.
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
