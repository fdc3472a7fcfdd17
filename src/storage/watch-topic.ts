import type { WriteGroup, WriteOutcome } from './store.js'
import type { WatchTopic } from './store.js'

/** Whether something that was written concerns the topic. */
export function concerns(topic: WatchTopic, group: WriteGroup, outcome: WriteOutcome): boolean {
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
