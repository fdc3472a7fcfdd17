import type { CallRow, WatchTopic, WriteGroup, WriteOutcome } from './store.js'

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
      if (group.allOrNothing && isRefused(group, outcome)) return
      if (watchers.size > 0) tell((topic) => concerns(topic, group, outcome))
    },
    changed: tell,
    topics: () => [...watchers].flatMap(({ topics }) => topics),
    clear: () => watchers.clear(),
  }
}

function isRefused({ removedCalls }: WriteGroup, outcome: WriteOutcome): boolean {
  const { conflictingCalls, conflictingDocuments, missingGroups } = outcome
  return (
    missingGroups !== undefined ||
    conflictingDocuments.length > 0 ||
    (conflictingCalls.length > 0 &&
      removedCalls?.some(({ invocationId }) => conflictingCalls.includes(invocationId)) === true)
  )
}

/** Whether a write concerns the topic. */
function concerns(topic: WatchTopic, group: WriteGroup, outcome: WriteOutcome): boolean {
  switch (topic.of) {
    case 'log':
      return Boolean(group.calls?.length || group.chunks?.length)
    case 'call': {
      const isIt = ({ tenant, invocationId }: Pick<CallRow, 'tenant' | 'invocationId'>): boolean =>
        invocationId === topic.invocationId && tenant === topic.tenant
      return Boolean(group.calls?.some(({ row }) => isIt(row)) || group.removedCalls?.some(isIt))
    }
    case 'documents':
      return (
        group.documents?.some(
          ({ tenant, kind }, index) =>
            kind === topic.kind && tenant === topic.tenant && !outcome.conflictingDocuments.includes(index),
        ) ?? false
      )
  }
}
