import { nextTurn } from '../../platform/async/next-turn.js'
import type { Catalog } from '../../catalog/catalog.js'

/** Rules and providers do not say when they change. */
const LOOK_EVERY_MS = 250

/**
 * Adds listeners that hear of a changed list without anybody asking for it: while there are any, the catalog's changes
 * are looked at soon after, and from time to time whatever else decides the list.
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
      // One of them at a time: all who listen hear of the same change.
      await nextTurn()
      isDue = false
      // What fails now fails the next call, which says so.
      if (listeners.size > 0) await look().catch(() => {})
    }
  }

  function follow(): () => void {
    const stopHearing = catalog.onChange(lookSoon)
    const timer = setInterval(lookSoon, LOOK_EVERY_MS).unref()
    return () => {
      stopHearing()
      clearInterval(timer)
    }
  }

  return (listener) => {
    // One function may be given twice, and be taken back once.
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

/** Whoever only listens must not break the call, or keep the news from others. */
function callSafely(listener: () => unknown): void {
  try {
    const answer = listener()
    if (answer instanceof Promise) answer.catch(() => {})
  } catch {
    // Its failure is its own.
  }
}
