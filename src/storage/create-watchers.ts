import type { WriteGroup, WriteOutcome } from './store.js'
import type { WatchTopic } from './store.js'

/** The watchers of a store, and the topics of each. */
export interface Watchers {
  readonly size: number
  add(topics: readonly WatchTopic[], changed: () => void): () => void
  /** Notifies the watchers that a write of this process concerns. */
  written(group: WriteGroup, outcome: WriteOutcome): void
  /** Notifies the watchers of a topic that has changed. */
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
        // The write is done: a watcher that throws must affect neither it nor the other watchers.
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

/** Whether a write concerns the topic. */
function concerns(topic: WatchTopic, group: WriteGroup, outcome: WriteOutcome): boolean {
  switch (topic.of) {
    case 'log':
      return Boolean(group.calls?.length || group.chunks?.length)
    case 'call':
      return (
        group.calls?.some(
          ({ row }) => row.invocationId === topic.invocationId && row.tenant === topic.tenant,
        ) ?? false
      )
    case 'documents':
      return (
        group.documents?.some(
          ({ tenant, kind }, index) =>
            kind === topic.kind && tenant === topic.tenant && !outcome.conflictingDocuments.includes(index),
        ) ?? false
      )
  }
}
