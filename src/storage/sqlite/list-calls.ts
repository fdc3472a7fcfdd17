import type { InvocationStatus, ResultStatus } from '../../contract/unions.js'
import type { CallPage, CallQuery, CallRow } from '../store.js'
import type { DatabaseSync } from './open-database.js'

export interface CallColumns {
  position: number
  tenant: string
  id: string
  tool: string
  surface: string
  status: string
  result_status: string | null
  actor: string | null
  session: string | null
  created_at: number
  owner: string | null
  revision: number
}

const COLUMNS =
  'position, tenant, id, tool, surface, status, result_status, actor, session, created_at, owner, revision'

/**
 * One page; the cursor is the position of its last call, with its time where that is the order, so calls added or removed
 * meanwhile shift nothing.
 */
export function listCalls(database: DatabaseSync, query: CallQuery): CallPage {
  const { where, values } = conditionsOf(query)
  const direction = query.newestFirst ? 'DESC' : 'ASC'
  const order = (query.byTime ? ['created_at', 'position'] : ['position'])
    .map((column) => `${column} ${direction}`)
    .join(', ')
  const rows = database
    .prepare(
      `SELECT ${COLUMNS} FROM calls ${where.length ? `WHERE ${where.join(' AND ')}` : ''} ORDER BY ${order} LIMIT ?`,
    )
    .all(...values, query.limit + 1) as unknown as CallColumns[]
  const page = rows.slice(0, query.limit)
  return {
    rows: page.map(rowOf),
    cursor: rows.length > query.limit ? cursorOf(page.at(-1)!, query) : undefined,
  }
}

function cursorOf({ position, created_at: at }: CallColumns, { byTime }: CallQuery): string {
  return byTime ? `${at}.${position}` : String(position)
}

function conditionsOf(query: CallQuery): { where: string[]; values: (string | number)[] } {
  const where: string[] = []
  const values: (string | number)[] = []
  const add = (condition: string, ...given: (string | number)[]): void => {
    where.push(condition)
    values.push(...given)
  }
  const addIn = (column: string, given: readonly string[]): void =>
    add(`${column} IN (${given.map(() => '?').join(',')})`, ...given)

  // Without another indexed filter the rows are read by position: an index over the tenant would only have to be sorted.
  const isIndexed =
    !query.byTime &&
    [query.tool, query.status, query.actor, query.session].some((given) => given !== undefined)
  if (query.tenant !== undefined) add(isIndexed ? 'tenant = ?' : '+tenant = ?', query.tenant)
  if (query.tool !== undefined) add('tool = ?', query.tool)
  // Read by position too: a page of the calls of many tools is found sooner than all of their calls are sorted.
  if (query.tools) add('+tool IN (SELECT value FROM json_each(?))', JSON.stringify([...query.tools]))
  if (query.status) addIn('status', query.status)
  if (query.resultStatus) addIn('result_status', query.resultStatus)
  if (query.actor !== undefined) add('actor = ?', query.actor)
  if (query.session !== undefined) add('session = ?', query.session)
  if (query.surface !== undefined) add('surface = ?', query.surface)
  // `+` keeps the time from choosing an index, except where it is the order: all calls of the time would be sorted.
  const time = query.byTime ? 'created_at' : '+created_at'
  if (query.since !== undefined) add(`${time} >= ?`, query.since)
  if (query.until !== undefined) add(`${time} < ?`, query.until)
  if (query.open !== undefined) add(query.open ? 'owner IS NOT NULL' : 'owner IS NULL')
  if (query.cursor !== undefined) {
    const after = query.newestFirst ? '<' : '>'
    if (query.byTime) add(`(created_at, position) ${after} (?, ?)`, ...query.cursor.split('.').map(Number))
    else add(`position ${after} ?`, Number(query.cursor))
  }
  return { where, values }
}

export function rowOf(row: CallColumns): CallRow {
  return {
    tenant: row.tenant,
    invocationId: row.id,
    toolId: row.tool,
    surfaceId: row.surface,
    status: row.status as InvocationStatus,
    resultStatus: (row.result_status ?? undefined) as ResultStatus | undefined,
    actor: row.actor ?? undefined,
    session: row.session ?? undefined,
    createdAt: row.created_at,
    owner: row.owner ?? undefined,
    revision: row.revision,
  }
}
