import type { Store } from '../store.js'
import type { WatchTopic } from '../store.js'

export interface ChangeSignal {
  /**
   * Waits until something about the topics is written or the signal is aborted, since the last wait. `false`: the
   * timeout expired.
   */
  next(timeoutMs?: number): Promise<boolean>
  dispose(): void
}

/**
 * Remembers whether something about the topics was written since the last wait, so that no change is missed between
 * reading and waiting.
 */
export function createChangeSignal(
  store: Store,
  topics: readonly WatchTopic[],
  signal: AbortSignal | undefined,
): ChangeSignal {
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
