import type { Store } from '../../storage/store.js'
import { APPROVAL_CHANGES, readChanges } from './approval-documents.js'

export interface ChangeWatch {
  /** Starts listening. Returns a function that stops it. `unref`: does not keep the process alive. */
  listen(options: { unref: boolean }): () => void
  /** Checks soon, with or without a notification. */
  lookSoon(): void
  /** Treats everything as changed once more. */
  forget(): void
  stop(): Promise<void>
}

/** Delay between a notification and the read: many come together. */
const LOOK_AFTER_MS = 10

/** Watches what any process writes about approvals, at the cost of two small reads. */
export function watchChanges(
  store: Store,
  { onAnswered, onChange }: { onAnswered(): Promise<void>; onChange(): Promise<void> },
): ChangeWatch {
  const ends = new Set<() => void>()
  let seen = { answered: -1, changed: -1 }
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()
  let isStopped = false

  async function look(): Promise<void> {
    const now = {
      answered: await readChanges(store, 'answered'),
      changed: await readChanges(store, 'changed'),
    }
    const isAnswered = now.answered !== seen.answered
    if (!isAnswered && now.changed === seen.changed) return
    if (isAnswered) await onAnswered()
    await onChange()
    // Set last: a failed callback is repeated.
    seen = now
  }

  function lookSoon(): void {
    if (timer || isStopped) return
    timer = setTimeout(() => {
      timer = undefined
      // A failed read is repeated in the next round.
      looking = looking.then(look).catch(() => {})
    }, LOOK_AFTER_MS)
    timer.unref()
  }

  return {
    listen(options) {
      const stopWatching = store.watch([APPROVAL_CHANGES], lookSoon, options)
      const end = (): void => {
        stopWatching()
        ends.delete(end)
      }
      ends.add(end)
      return end
    },
    lookSoon,
    forget() {
      seen = { answered: -1, changed: -1 }
      lookSoon()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      for (const end of ends) end()
      await looking
    },
  }
}
