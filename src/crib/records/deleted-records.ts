import { isoTime } from '../../contract/iso-time.js'
import type { ToolcribDeletedRecord } from '../../contract/objects/toolcrib-deleted-record.js'
import { SCHEMA_VERSION } from '../../contract/unions.js'
import type {
  DeletedCall,
  DeletedGroup,
  DeletedGroupPage,
  DeletedGroupQuery,
  Store,
} from '../../storage/store.js'

const PAGE = 50

export async function readDeletedRecord(
  store: Store,
  tenant: string,
  invocationId: string,
): Promise<ToolcribDeletedRecord | undefined> {
  const found = await store.getDeletedCall(tenant, invocationId)
  return found && toRecord(found.group, found.call)
}

export async function* walkDeletedRecords(
  store: Store,
  tenant: string,
): AsyncGenerator<ToolcribDeletedRecord, void, void> {
  for await (const group of walkDeletedGroups(store, { tenant }))
    for (const call of await store.readDeletedGroup(tenant, group.id)) yield toRecord(group, call)
}

/** All groups that match the query, page by page, so that the whole list is never in memory. */
export async function* walkDeletedGroups(
  store: Pick<Store, 'listDeletedGroups'>,
  query: Omit<DeletedGroupQuery, 'limit' | 'cursor'>,
): AsyncGenerator<DeletedGroupPage['groups'][number], void, void> {
  let cursor: string | undefined
  do {
    const page = await store.listDeletedGroups({ ...query, limit: PAGE, cursor })
    yield* page.groups
    cursor = page.cursor
  } while (cursor !== undefined)
}

function toRecord(
  { tenant, deletionId, deletedAt, by, reason }: DeletedGroup,
  call: DeletedCall,
): ToolcribDeletedRecord {
  return {
    schema_version: SCHEMA_VERSION,
    invocation_id: call.invocationId,
    tenant,
    tool_id: call.toolId,
    surface_id: call.surfaceId,
    status: call.status,
    ...(call.resultStatus !== undefined && { result_status: call.resultStatus }),
    created_at: isoTime(call.createdAt),
    ...(call.endedAt !== undefined && { ended_at: isoTime(call.endedAt) }),
    event_count: call.eventCount,
    content_sha256: call.contentSha256,
    deletion_id: deletionId,
    deleted_at: isoTime(deletedAt),
    by,
    ...(reason !== undefined && { reason }),
  }
}
