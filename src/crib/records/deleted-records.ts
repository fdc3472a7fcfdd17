import type { ToolcribDeletedRecord } from '../../contract/objects/toolcrib-deleted-record.js'
import type { DocumentWrite, Store } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'

/** What is left of deleted calls, by their ids. */
export const DELETED_KIND = 'deleted_record'

export function deletedRecordWrite(record: ToolcribDeletedRecord, at: number): DocumentWrite {
  return { tenant: record.tenant, kind: DELETED_KIND, id: record.invocation_id, updatedAt: at, value: record }
}

export async function readDeletedRecord(
  store: Store,
  tenant: string,
  invocationId: string,
): Promise<ToolcribDeletedRecord | undefined> {
  const found = await store.getDocument(tenant, DELETED_KIND, invocationId)
  return found?.value as ToolcribDeletedRecord | undefined
}

export async function* walkDeletedRecords(
  store: Store,
  tenant: string,
): AsyncGenerator<ToolcribDeletedRecord, void, void> {
  for await (const { value } of walkDocuments(store, { tenant, kind: DELETED_KIND }))
    yield value as ToolcribDeletedRecord
}
