import type { DocumentPage, DocumentQuery } from '../store.js'
import type { Connection } from './connection.js'
import { documentOf, type DocumentColumns } from './rows.js'

/** One page; the cursor is the id of its last document. */
export function listDocuments(
  on: Connection,
  { tenant, kind, prefix = '', limit, cursor }: DocumentQuery,
): DocumentPage {
  const rows = (cursor === undefined
    ? on.listDocuments.all(tenant, kind, prefix, prefix, limit + 1)
    : on.listDocumentsAfter.all(tenant, kind, cursor, prefix, limit + 1)) as unknown as DocumentColumns[]
  const documents = rows.slice(0, limit).map(documentOf)
  return { documents, ...(rows.length > limit && { cursor: documents.at(-1)!.id }) }
}
