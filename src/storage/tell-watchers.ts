/** Tells everyone. What is written is written: a watcher that breaks is its own affair. */
export function tellWatchers(watchers: Iterable<() => void>): void {
  for (const changed of watchers) {
    try {
      changed()
    } catch {
      // The others still want to hear it.
    }
  }
}
