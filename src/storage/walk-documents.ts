import { createTurns } from '../platform/async/create-turns.js'
import type { DocumentQuery, Store, StoredDocument } from './store.js'

const PAGE = 200

/**
 * All documents that match the query, page by page, so that the whole list is never in memory. Other work gets a turn
 * between pages.
 */
export async function* walkDocuments(
  store: Pick<Store, 'listDocuments'>,
  query: Omit<DocumentQuery, 'limit' | 'cursor'>,
): AsyncGenerator<StoredDocument, void, void> {
  const turns = createTurns()
  let cursor: string | undefined
  do {
    const page = await store.listDocuments({ ...query, limit: PAGE, cursor })
    yield* page.documents
    cursor = page.cursor
    if (cursor !== undefined) await turns.due()
  } while (cursor !== undefined)
}
