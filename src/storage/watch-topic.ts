import type { WriteGroup, WriteOutcome } from './store.js'

/** What a watcher wants to hear of. Whatever else is written does not wake it. */
export type WatchTopic =
  /** Events of any tenant. */
  | { readonly of: 'log' }
  /** One call: its row or its events. */
  | { readonly of: 'call'; readonly tenant: string; readonly invocationId: string }
  /** Documents of one kind: written or removed. */
  | { readonly of: 'documents'; readonly tenant: string; readonly kind: string }

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
