import type { DocumentQuery, Store, StoredDocument } from './store.js'

const PAGE = 200

/** All documents that match the query, page by page, so that the whole list is never in memory. */
export async function* walkDocuments(
  store: Pick<Store, 'listDocuments'>,
  query: Omit<DocumentQuery, 'limit' | 'cursor'>,
): AsyncGenerator<StoredDocument, void, void> {
  let cursor: string | undefined
  do {
    const page = await store.listDocuments({ ...query, limit: PAGE, cursor })
    yield* page.documents
    cursor = page.cursor
  } while (cursor !== undefined)
}
