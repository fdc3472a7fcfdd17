import type {
  DeletedCall,
  DeletedGroup,
  DeletedGroupPage,
  DeletedGroupQuery,
  DeletedGroupWrite,
} from '../store.js'
import type { DatabaseSync } from './open-database.js'
import {
  packCallId,
  packDeletedCall,
  unpackDeletedCall,
  type DeletedKind,
  type PackedGroup,
} from './pack-deleted-call.js'

/** The calls of a group have the numbers from `first` on. */
interface GroupColumns {
  first: number
  calls: number
  tenant: string
  id: string
  deleted_at: number
  body: string
}

interface CallColumns {
  call_id: string | Uint8Array
  call_body: Uint8Array
}

/** What is in the body of a group: what its calls have in common. */
type GroupBody = [
  deletionId: string,
  by: string,
  reason: string | null,
  baseTime: number,
  kinds: DeletedKind[],
]

const CALL = '(?,?,?)'
const CALLS_PER_INSERT = 25

export function prepareDeletedGroups(database: DatabaseSync) {
  return {
    findGroup: database.prepare('SELECT * FROM deleted_groups WHERE tenant = ? AND id = ?'),
    insertGroup: database.prepare('INSERT INTO deleted_groups VALUES (?,?,?,?,?,?)'),
    removeGroup: database.prepare('DELETE FROM deleted_groups WHERE first = ?'),
    // Of all tenants where the tenant is null.
    listGroups: database.prepare(
      `SELECT * FROM deleted_groups
       WHERE (deleted_at, first) > (?, ?) AND deleted_at < ? AND tenant = coalesce(?, tenant)
       ORDER BY deleted_at, first LIMIT ?`,
    ),
    nextCall: database.prepare('SELECT coalesce(max(number), 0) + 1 AS number FROM deleted_calls'),
    insertCall: database.prepare(`INSERT INTO deleted_calls VALUES ${CALL}`),
    insertCalls: database.prepare(
      `INSERT INTO deleted_calls VALUES ${Array.from({ length: CALLS_PER_INSERT }, () => CALL).join(',')}`,
    ),
    findCall: database.prepare(
      `SELECT c.number, c.id AS call_id, c.body AS call_body, g.* FROM deleted_calls c
       JOIN deleted_groups g ON g.first = (SELECT max(first) FROM deleted_groups WHERE first <= c.number)
       WHERE c.id = ? AND g.tenant = ? ORDER BY c.number DESC LIMIT 1`,
    ),
    readCalls: database.prepare(
      'SELECT id AS call_id, body AS call_body FROM deleted_calls WHERE number >= ? AND number < ? ORDER BY number',
    ),
    removeCalls: database.prepare('DELETE FROM deleted_calls WHERE number >= ? AND number < ?'),
  }
}

type DeletedGroupStatements = ReturnType<typeof prepareDeletedGroups>

export function insertDeletedGroup(on: DeletedGroupStatements, group: DeletedGroupWrite): void {
  const { tenant, id, deletionId, deletedAt, by, reason, calls } = group
  if (on.findGroup.get(tenant, id)) return
  const first = (on.nextCall.get() as { number: number }).number
  const baseTime = Math.min(...calls.map(({ createdAt }) => createdAt))
  const kinds: DeletedKind[] = []
  const values = calls.map((call, index) => {
    const body = packDeletedCall(call, { kind: indexOfKind(kinds, call), baseTime })
    return [first + index, packCallId(call.invocationId), body] as const
  })
  for (let from = 0; from < values.length; from += CALLS_PER_INSERT) {
    const some = values.slice(from, from + CALLS_PER_INSERT)
    if (some.length === CALLS_PER_INSERT) on.insertCalls.run(...some.flat())
    else for (const each of some) on.insertCall.run(...each)
  }
  const body = [deletionId, by, reason ?? null, baseTime, kinds] satisfies GroupBody
  on.insertGroup.run(first, calls.length, tenant, id, deletedAt, JSON.stringify(body))
}

/** Of one kind are the calls of one tool on one surface that ended alike. */
function indexOfKind(kinds: DeletedKind[], call: DeletedCall): number {
  const resultStatus = call.resultStatus ?? null
  // Calls that began one after the other are often of one kind.
  const index = kinds.findLastIndex(
    ([toolId, surfaceId, status, result]) =>
      toolId === call.toolId &&
      surfaceId === call.surfaceId &&
      status === call.status &&
      result === resultStatus,
  )
  if (index !== -1) return index
  return kinds.push([call.toolId, call.surfaceId, call.status, resultStatus]) - 1
}

/** `false`: it was not there. */
export function removeDeletedGroup(
  on: DeletedGroupStatements,
  { tenant, id }: Pick<DeletedGroup, 'tenant' | 'id'>,
): boolean {
  const row = on.findGroup.get(tenant, id) as unknown as GroupColumns | undefined
  if (!row) return false
  on.removeCalls.run(row.first, row.first + row.calls)
  on.removeGroup.run(row.first)
  return true
}

export function getDeletedCall(
  on: DeletedGroupStatements,
  tenant: string,
  invocationId: string,
): { group: DeletedGroup; call: DeletedCall } | undefined {
  const row = on.findCall.get(packCallId(invocationId), tenant) as unknown as
    (GroupColumns & CallColumns) | undefined
  if (!row) return undefined
  return { group: groupOf(row), call: unpackDeletedCall(row.call_id, row.call_body, packedGroupOf(row)) }
}

export function listDeletedGroups(
  on: DeletedGroupStatements,
  { tenant, until = Number.MAX_SAFE_INTEGER, limit, cursor }: DeletedGroupQuery,
): DeletedGroupPage {
  const [deletedAt, first] = cursor?.split('.').map(Number) ?? [Number.MIN_SAFE_INTEGER, 0]
  const rows = on.listGroups.all(
    deletedAt!,
    first!,
    until,
    tenant ?? null,
    limit + 1,
  ) as unknown as GroupColumns[]
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    groups: page.map((row) => ({ ...groupOf(row), callCount: row.calls })),
    ...(rows.length > limit && last && { cursor: `${last.deleted_at}.${last.first}` }),
  }
}

export function readDeletedGroup(on: DeletedGroupStatements, tenant: string, id: string): DeletedCall[] {
  const group = on.findGroup.get(tenant, id) as unknown as GroupColumns | undefined
  if (!group) return []
  const packed = packedGroupOf(group)
  const rows = on.readCalls.all(group.first, group.first + group.calls) as unknown as CallColumns[]
  return rows.map((row) => unpackDeletedCall(row.call_id, row.call_body, packed))
}

function groupOf({ tenant, id, deleted_at: deletedAt, body }: GroupColumns): DeletedGroup {
  const [deletionId, by, reason] = JSON.parse(body) as GroupBody
  return { tenant, id, deletionId, deletedAt, by, ...(reason !== null && { reason }) }
}

function packedGroupOf({ body }: GroupColumns): PackedGroup {
  const [, , , baseTime, kinds] = JSON.parse(body) as GroupBody
  return { kinds, baseTime }
}
