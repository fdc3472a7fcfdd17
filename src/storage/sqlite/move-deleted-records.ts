import type { ToolcribDeletedRecord } from '../../contract/objects/toolcrib-deleted-record.js'
import type { DeletedCall } from '../store.js'
import { insertDeletedGroup, prepareDeletedGroups } from './deleted-groups.js'
import type { DatabaseSync } from './open-database.js'

const KIND = 'deleted_record'
const GROUP_CALLS = 100

/** Moves what earlier versions kept of deleted calls, a document of each, to groups. */
export function moveDeletedRecords(database: DatabaseSync): void {
  const statements = prepareDeletedGroups(database)
  const documents = database.prepare('SELECT value FROM documents WHERE kind = ? ORDER BY tenant, id')
  let group: ToolcribDeletedRecord[] = []
  let moved = 0

  function write(): void {
    const [first] = group
    if (!first) return
    const { tenant, deletion_id: deletionId, deleted_at: deletedAt, by, reason } = first
    insertDeletedGroup(statements, {
      tenant,
      id: `${deletionId}_moved_${moved++}`,
      deletionId,
      deletedAt: Date.parse(deletedAt),
      by,
      reason,
      calls: group.map(toDeletedCall),
    })
    group = []
  }

  for (const { value } of documents.iterate(KIND) as Iterable<{ value: string }>) {
    const record = JSON.parse(value) as ToolcribDeletedRecord
    if (group.length === GROUP_CALLS || (group[0] && !isAlike(group[0], record))) write()
    group.push(record)
  }
  write()
  database.prepare('DELETE FROM documents WHERE kind = ?').run(KIND)
}

function isAlike(one: ToolcribDeletedRecord, other: ToolcribDeletedRecord): boolean {
  return (['tenant', 'deletion_id', 'deleted_at', 'by', 'reason'] as const).every(
    (field) => one[field] === other[field],
  )
}

function toDeletedCall(record: ToolcribDeletedRecord): DeletedCall {
  return {
    invocationId: record.invocation_id,
    toolId: record.tool_id,
    surfaceId: record.surface_id,
    status: record.status,
    resultStatus: record.result_status,
    createdAt: Date.parse(record.created_at),
    ...(record.ended_at !== undefined && { endedAt: Date.parse(record.ended_at) }),
    eventCount: record.event_count,
    contentSha256: record.content_sha256,
  }
}
