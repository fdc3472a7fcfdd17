import type { Store, StoredDocument } from './store.js'

/** Takes documents out, but for those that somebody has written since they were read. */
export async function removeDocuments(
  store: Store,
  documents: readonly StoredDocument[],
  now: number,
): Promise<void> {
  if (documents.length === 0) return
  await store.write({
    documents: documents.map(({ tenant, kind, id, revision }) => ({
      tenant,
      kind,
      id,
      updatedAt: now,
      value: undefined,
      expectedRevision: revision,
    })),
  })
}
