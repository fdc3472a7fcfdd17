import type { Journal } from '../../storage/journal/journal.js'
import type { Store } from '../../storage/store.js'
import { updateDocument } from '../../storage/update-document.js'
import type { ProtectedPaths } from '../../policy/protected-paths.js'
import type { Redactor } from '../../redaction/redactor.js'
import type { SourceStorage } from '../../sources/source.js'
import { recordLate } from './record-late.js'

interface SourceStorageOptions {
  readonly tenant: string
  readonly now: () => number
  readonly redactor?: Redactor
  readonly protectedPaths?: ProtectedPaths
}

/** The storage of sources: documents of the crib's store. */
export function sourceStorage(
  journal: Pick<Journal, 'store' | 'flush' | 'durable'>,
  { tenant, now, redactor, protectedPaths }: SourceStorageOptions,
): SourceStorage {
  const { store } = journal
  return {
    tenant,
    protectedPaths,
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
    // Commands that only look at tools run no calls.
    ...(redactor && {
      recordLate: (invocationId, late) =>
        recordLate(journal, { tenant, invocationId, now: now(), late: redactor.value(late) }),
    }),
  }
}

/** The same for a store without a crib. */
export function sourceStorageIn(
  store: Store,
  { tenant = 'default' }: { tenant?: string | undefined },
): SourceStorage {
  const record = { store, flush: async () => {}, durable: () => store.sync() }
  return sourceStorage(record, { tenant, now: () => store.now() })
}
