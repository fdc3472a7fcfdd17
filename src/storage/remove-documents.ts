import type { DocumentQuery, Store, StoredDocument } from './store.js'

const PAGE = 200

/** Removes expired documents, page by page, except those that were written again since they were read. */
export async function removeDocuments(
  store: Store,
  query: Omit<DocumentQuery, 'limit' | 'cursor'>,
  { isOver, now }: { isOver(document: StoredDocument): boolean; now: number },
): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await store.listDocuments({ ...query, limit: PAGE, cursor })
    const documents = page.documents.filter(isOver).map(({ tenant, kind, id, revision }) => ({
      tenant,
      kind,
      id,
      updatedAt: now,
      value: undefined,
      expectedRevision: revision,
    }))
    if (documents.length > 0) await store.write({ documents })
    cursor = page.cursor
  } while (cursor !== undefined)
}
