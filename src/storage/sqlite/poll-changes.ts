import type { Watchers } from '../create-watchers.js'
import type { WatchTopic } from '../store.js'
import type { Connection } from './connection.js'

export interface ChangePoll {
  /** Starts to report what other processes write about the topics. */
  note(topics: readonly WatchTopic[]): void
  /** Whether the polling keeps the process alive. */
  hold(isHeld: boolean): void
  stop(): void
}

/** Polls a file for writes of other processes. Writes of this process are reported at once, elsewhere. */
export function pollChanges(
  use: <Value>(work: (on: Connection) => Value) => Value,
  watchers: Watchers,
  everyMs: number,
): ChangePoll {
  let seen = use((on) => on.dataVersion())
  /** The last seen number of each topic. */
  const versions = new Map<string, number>()

  /** The topics that have changed, by key. Topics without a watcher are forgotten. */
  function moved(on: Connection): Set<string> {
    const found = new Set<string>()
    const before = new Map(versions)
    versions.clear()
    for (const topic of watchers.topics()) {
      const key = JSON.stringify(topic)
      if (versions.has(key)) continue
      const version = versionOf(on, topic)
      versions.set(key, version)
      if (before.get(key) !== version) found.add(key)
    }
    return found
  }

  const timer = setInterval(() => {
    try {
      const changed = use((on) => {
        const now = on.dataVersion()
        if (now === seen) return undefined
        const topics = moved(on)
        seen = now
        return topics
      })
      if (changed?.size) watchers.changed((topic) => changed.has(JSON.stringify(topic)))
    } catch {
      // A store that cannot be read for a moment is read again.
    }
  }, everyMs)

  return {
    note(topics) {
      try {
        use((on) => {
          for (const topic of topics) {
            const key = JSON.stringify(topic)
            if (!versions.has(key)) versions.set(key, versionOf(on, topic))
          }
        })
      } catch {
        // The disk may be full. A topic that is not recorded counts as changed at the next write.
      }
    },
    hold(isHeld) {
      if (isHeld) timer.ref()
      else timer.unref()
    },
    stop: () => clearInterval(timer),
  }
}

/** A number that changes whenever something was written about the topic. */
function versionOf(on: Connection, topic: WatchTopic): number {
  switch (topic.of) {
    case 'log':
      return (on.nextPosition.get() as { value: number }).value
    case 'call': {
      const row = on.callRevision.get(topic.tenant, topic.invocationId)
      return (row as { revision: number } | undefined)?.revision ?? 0
    }
    case 'documents': {
      const { tenant, kind } = topic
      const row = on.documentsVersion.get(tenant, kind) as { version: number } | undefined
      // From here on writers count.
      if (!row) on.countDocuments.run(tenant, kind)
      return row?.version ?? 0
    }
  }
}
