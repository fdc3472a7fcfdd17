import type { Store } from '../../storage/store.js'
import { APPROVAL_NEWS, readChanges } from './approval-documents.js'

export interface ChangeWatch {
  /** Starts listening. What it returns ends that. `unref`: keeps no process alive. */
  listen(options: { unref: boolean }): () => void
  /** Looks soon, whether or not anything was heard. */
  lookSoon(): void
  /** Takes everything for news once more. */
  forget(): void
  stop(): Promise<void>
}

/** After news of anybody, so long until they are read: many come together. */
const LOOK_AFTER_MS = 10

/** Hears what any process writes about approvals, at the cost of two small reads however much else is written. */
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
    // Only now: what failed on the way is looked at again.
    seen = now
  }

  function lookSoon(): void {
    if (timer || isStopped) return
    timer = setTimeout(() => {
      timer = undefined
      // A store that fails now is asked again at the next round.
      looking = looking.then(look).catch(() => {})
    }, LOOK_AFTER_MS)
    timer.unref()
  }

  return {
    listen(options) {
      const stopWatching = store.watch([APPROVAL_NEWS], lookSoon, options)
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
