import type { Store } from '../store.js'
import type { WatchTopic } from '../store.js'

export interface Alarm {
  /** Waits until something about the topics was written, or the signal was aborted, since it last rang. `false`: the time is up. */
  next(timeoutMs?: number): Promise<boolean>
  dispose(): void
}

/** Remembers that something about the topics was written since it was last asked, so that no change falls between reading and waiting. */
export function createAlarm(
  store: Store,
  topics: readonly WatchTopic[],
  signal: AbortSignal | undefined,
): Alarm {
  let changed = false
  let wake: (() => void) | undefined
  const ring = (): void => {
    changed = true
    wake?.()
  }
  const stopWatching = store.watch(topics, ring)
  signal?.addEventListener('abort', ring)
  return {
    async next(timeoutMs) {
      let timer: NodeJS.Timeout | undefined
      if (!changed) {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (timeoutMs !== undefined) timer = setTimeout(resolve, timeoutMs).unref()
        })
      }
      clearTimeout(timer)
      const hasRung = changed
      changed = false
      return hasRung
    },
    dispose() {
      stopWatching()
      signal?.removeEventListener('abort', ring)
    },
  }
}
