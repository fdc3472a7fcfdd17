import type { Source, SourceStorage } from '../source.js'

/** Reports to the listeners of a source that its list has changed. */
export function createListChanges(options: {
  /** The kind of the documents that say what was accepted. */
  readonly stateKind: string
  /** Must not reject. */
  load(): Promise<void>
}) {
  const listeners = new Set<() => void>()
  let stopWatching: (() => void) | undefined
  let refreshing: Promise<void> | undefined
  const report = (): void => {
    for (const listener of listeners) listener()
  }
  return {
    watch: ((listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }) satisfies Source['watch'],
    report,
    /** Loads again; a second request joins the one that is under way. */
    refresh(): Promise<void> {
      refreshing ??= options.load().finally(() => (refreshing = undefined))
      return refreshing
    },
    /** While tools are blocked, reports that a person has accepted one. */
    watchAccepting(storage: SourceStorage, isNeeded: boolean): void {
      if (isNeeded) stopWatching ??= storage.watch(options.stateKind, report)
      else {
        stopWatching?.()
        stopWatching = undefined
      }
    },
    async close(): Promise<void> {
      stopWatching?.()
      listeners.clear()
      await refreshing
    },
  }
}
