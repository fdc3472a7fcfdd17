import type { WriteGroup, WriteOutcome } from './store.js'
import { concerns } from './watch-topic.js'
import type { WatchTopic } from './store.js'

/** Those who watch a store, and what each of them wants to hear of. */
export interface Watchers {
  readonly size: number
  add(topics: readonly WatchTopic[], changed: () => void): () => void
  /** Tells those whom a write of this process concerns. */
  written(group: WriteGroup, outcome: WriteOutcome): void
  /** Tells those with a topic that has changed. */
  changed(isChanged: (topic: WatchTopic) => boolean): void
  topics(): WatchTopic[]
  clear(): void
}

interface Watcher {
  readonly topics: readonly WatchTopic[]
  readonly changed: () => void
}

export function createWatchers(): Watchers {
  const watchers = new Set<Watcher>()

  function tell(isChanged: (topic: WatchTopic) => boolean): void {
    for (const { topics, changed } of watchers) {
      if (!topics.some(isChanged)) continue
      try {
        changed()
      } catch {
        // What is written is written: a watcher that breaks is its own affair, and the others still want to hear it.
      }
    }
  }

  return {
    get size() {
      return watchers.size
    },
    add(topics, changed) {
      const watcher = { topics, changed }
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    written(group, outcome) {
      if (group.allOrNothing && outcome.conflictingDocuments.length > 0) return
      if (watchers.size > 0) tell((topic) => concerns(topic, group, outcome))
    },
    changed: tell,
    topics: () => [...watchers].flatMap(({ topics }) => topics),
    clear: () => watchers.clear(),
  }
}
