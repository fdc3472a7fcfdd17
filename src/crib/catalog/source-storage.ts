import type { Journal } from '../../storage/journal/journal.js'
import type { SourceStorage } from '../../sources/source.js'

/** What sources keep: documents of the crib's store, written as everything else is. */
export function sourceStorage(
  journal: Journal,
  { tenant, now }: { tenant: string; now: () => number },
): SourceStorage {
  const { store } = journal
  return {
    tenant,
    async read(kind, id) {
      const found = await store.getDocument(tenant, kind, id)
      return found && { value: found.value, revision: found.revision }
    },
    async write(kind, id, value, revision) {
      const isWritten = await journal.put({
        tenant,
        kind,
        id,
        updatedAt: now(),
        value,
        expectedRevision: revision,
      })
      if (isWritten) await journal.durable()
      return isWritten
    },
    watch: (changed) => store.watch(changed, { unref: true }),
  }
}
