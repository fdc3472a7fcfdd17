import { nextTurn } from '../../platform/async/next-turn.js'
import type { Catalog } from '../../catalog/catalog.js'

/** Rules and providers do not report their changes. */
const LOOK_EVERY_MS = 250

/**
 * Adds listeners for changes of the list. While there are any, the list is checked soon after each change of the
 * catalog, and at intervals for everything else that decides it.
 */
export function followCatalog(
  catalog: Catalog,
  { listeners, look }: { listeners: Set<() => void>; look(): Promise<void> },
): (listener: () => void) => () => void {
  let stop: (() => void) | undefined
  let isDue = false
  let looking: Promise<void> | undefined

  function lookSoon(): void {
    isDue = true
    looking ??= lookWhileDue().finally(() => (looking = undefined))
  }

  async function lookWhileDue(): Promise<void> {
    while (isDue) {
      // One check at a time, after a pause, so that changes made together are reported together.
      await nextTurn()
      isDue = false
      // The next call reports a failure of the store.
      if (listeners.size > 0) await look().catch(() => {})
    }
  }

  function follow(): () => void {
    const stopListening = catalog.onChange(lookSoon)
    const timer = setInterval(lookSoon, LOOK_EVERY_MS).unref()
    return () => {
      stopListening()
      clearInterval(timer)
    }
  }

  return (listener) => {
    // The same function may be added twice and removed once.
    const own = (): void => callSafely(listener)
    listeners.add(own)
    stop ??= follow()
    return () => {
      listeners.delete(own)
      if (listeners.size > 0) return
      stop?.()
      stop = undefined
    }
  }
}

/** A listener must not break the call or prevent other listeners. */
function callSafely(listener: () => unknown): void {
  try {
    const answer = listener()
    if (answer instanceof Promise) answer.catch(() => {})
  } catch {
    // A failing listener is ignored.
  }
}
