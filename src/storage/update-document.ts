import type { DocumentWrite, Store, StoredDocument } from './store.js'
import { updateDocuments, type DocumentKey, type UpdateOptions } from './update-documents.js'

export type DocumentChange<Result> =
  /** Nothing is written. */
  | { readonly result: Result }
  /** A value that is `undefined` removes the document. */
  | { readonly result: Result; readonly value: unknown; readonly also?: readonly DocumentWrite[] }

/** As `updateDocuments`, for one. */
export function updateDocument<Result>(
  store: Store,
  key: DocumentKey,
  change: (found: StoredDocument | undefined) => DocumentChange<Result> | Promise<DocumentChange<Result>>,
  options?: UpdateOptions<Result>,
): Promise<Result> {
  return updateDocuments(
    store,
    [key],
    async ([found]) => {
      const changed = await change(found)
      if (!('value' in changed)) return changed
      const { value, also, result } = changed
      return { values: new Map([[0, value]]), ...(also && { also }), result }
    },
    options,
  )
}
