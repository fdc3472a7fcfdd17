import { readKept, type KeptValue } from './kept-value.js'
import type { DocumentPage, DocumentQuery, DocumentWrite, StoredDocument } from '../store.js'

/** Documents of one process. */
export interface MemoryDocuments {
  /** Writes the value, or removes the document where it is undefined. `false`: its revision moved on. */
  write(write: DocumentWrite, kept: KeptValue | undefined): boolean
  /** The indexes of the documents that would be refused. */
  refused(writes: readonly DocumentWrite[]): number[]
  get(tenant: string, kind: string, id: string): StoredDocument | undefined
  list(query: DocumentQuery): DocumentPage
}

/** Without its tenant and kind, which are those of its map. */
interface Kept extends Omit<StoredDocument, 'tenant' | 'kind'> {
  readonly value: KeptValue
}

interface KeptKind {
  readonly tenant: string
  readonly kind: string
  readonly byId: Map<string, Kept>
  /** Sorted; rebuilt when the first page is read after a document was added or removed. */
  ids: string[] | undefined
}

export function createMemoryDocuments(): MemoryDocuments {
  const tenants = new Map<string, Map<string, KeptKind>>()

  function kindOf(tenant: string, kind: string): KeptKind {
    let kinds = tenants.get(tenant)
    if (!kinds) tenants.set(tenant, (kinds = new Map()))
    let found = kinds.get(kind)
    if (!found) kinds.set(kind, (found = { tenant, kind, byId: new Map(), ids: undefined }))
    return found
  }

  return {
    write({ tenant, kind, id, updatedAt, expectedRevision }, value) {
      const own = kindOf(tenant, kind)
      const revision = own.byId.get(id)?.revision ?? 0
      if (expectedRevision !== undefined && expectedRevision !== revision) return false
      if (value === undefined ? own.byId.delete(id) : revision === 0) own.ids = undefined
      if (value !== undefined) own.byId.set(id, { id, updatedAt, revision: revision + 1, value })
      return true
    },
    refused(writes) {
      const revisions = new Map<string, number>()
      const found: number[] = []
      writes.forEach(({ tenant, kind, id, value, expectedRevision }, index) => {
        // One document may be written several times in a group.
        const key = JSON.stringify([tenant, kind, id])
        const revision = revisions.get(key) ?? tenants.get(tenant)?.get(kind)?.byId.get(id)?.revision ?? 0
        if (expectedRevision !== undefined && expectedRevision !== revision) found.push(index)
        else revisions.set(key, value === undefined ? 0 : revision + 1)
      })
      return found
    },
    get(tenant, kind, id) {
      const own = tenants.get(tenant)?.get(kind)
      const kept = own?.byId.get(id)
      return kept && toRead(kept, own!)
    },
    list({ tenant, kind, prefix = '', descending = false, limit, cursor }) {
      const own = tenants.get(tenant)?.get(kind)
      if (!own) return { documents: [] }
      own.ids ??= [...own.byId.keys()].sort()
      const { ids } = own
      const documents: StoredDocument[] = []
      if (descending) {
        const end = cursor === undefined ? ids.length : firstFrom(ids, cursor)
        for (let index = end - 1; index >= 0 && ids[index]! >= prefix; index--) {
          const id = ids[index]!
          // Without a cursor, ids behind the prefix come first.
          if (!id.startsWith(prefix)) continue
          if (documents.length === limit) return { documents, cursor: documents.at(-1)!.id }
          documents.push(toRead(own.byId.get(id)!, own))
        }
        return { documents }
      }
      for (let index = firstFrom(ids, cursor ?? prefix); index < ids.length; index++) {
        const id = ids[index]!
        if (id === cursor) continue
        if (!id.startsWith(prefix)) break
        if (documents.length === limit) return { documents, cursor: documents.at(-1)!.id }
        documents.push(toRead(own.byId.get(id)!, own))
      }
      return { documents }
    },
  }
}

function toRead({ id, updatedAt, revision, value }: Kept, { tenant, kind }: KeptKind): StoredDocument {
  return { tenant, kind, id, updatedAt, revision, value: readKept(value) }
}

/** Index of the first id that is not before the given one. */
function firstFrom(ids: readonly string[], from: string): number {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ids[middle]! >= from) high = middle
    else low = middle + 1
  }
  return low
}
