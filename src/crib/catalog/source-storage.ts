import type { Journal } from '../../storage/journal/journal.js'
import { updateDocument } from '../../storage/update-document.js'
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
      return found && { value: found.value }
    },
    async update(kind, id, change) {
      const result = await updateDocument(store, { tenant, kind, id }, change, { now })
      await journal.durable()
      return result
    },
    watch: (kind, changed) => store.watch([{ of: 'documents', tenant, kind }], changed, { unref: true }),
  }
}
