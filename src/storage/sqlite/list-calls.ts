import type { InvocationStatus, ResultStatus } from '../../contract/unions.js'
import type { CallPage, CallQuery, CallRow, RecordedCall, RecordedCallPage } from '../store.js'
import type { Connection } from './connection.js'
import type { DatabaseSync } from './open-database.js'
import { loggedChunkOf, type ChunkColumns } from './rows.js'

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
export function listCalls({ database }: Pick<Connection, 'database'>, query: CallQuery): CallPage {
  const { statement, values } = prepareQuery(database, query, COLUMNS)
  const rows = statement.all(...values) as unknown as CallColumns[]
  const page = rows.slice(0, query.limit)
  return {
    rows: page.map(rowOf),
    cursor: rows.length > query.limit ? cursorOf(page.at(-1)!, query) : undefined,
  }
}

/** After so many characters a page ends: whoever reads has all of a page in memory, and waits while it is parsed. */
const PAGE_CHARS = 1_000_000

/** One page with the events. */
export function readCalls(
  { database, laterChunks, constants }: Pick<Connection, 'database' | 'laterChunks' | 'constants'>,
  query: CallQuery,
): RecordedCallPage {
  const { statement, values } = prepareQuery(database, query, `${COLUMNS}, body`)
  const calls: RecordedCall[] = []
  let chars = 0
  let last: CallColumns | undefined
  for (const row of statement.iterate(...values) as Iterable<CallColumns & { body: string }>) {
    if (calls.length === query.limit || chars > PAGE_CHARS) return { calls, cursor: cursorOf(last!, query) }
    const { tenant, id, tool, surface, actor, session } = row
    const first = { ...row, stream: id, first_sequence: 1, base_time: row.created_at }
    // What was written once has no later events.
    const later = row.revision === 1 ? [] : (laterChunks.all(tenant, id) as unknown as ChunkColumns[])
    const columns = [first, ...later.map((each) => ({ ...each, tool, surface, actor, session }))]
    for (const { body } of columns) chars += body.length
    const chunks = columns.map((each) => loggedChunkOf(each, constants.unpack))
    calls.push({ row: rowOf(row), chunks })
    last = row
  }
  return { calls }
}

/** One row more than the page has tells whether there is another. */
function prepareQuery(database: DatabaseSync, query: CallQuery, columns: string) {
  const { where, values } = conditionsOf(query)
  const direction = query.newestFirst ? 'DESC' : 'ASC'
  const order = (query.byTime ? ['created_at', 'position'] : ['position'])
    .map((column) => `${column} ${direction}`)
    .join(', ')
  const statement = database.prepare(
    `SELECT ${columns} FROM calls ${where.length ? `WHERE ${where.join(' AND ')}` : ''} ORDER BY ${order} LIMIT ?`,
  )
  return { statement, values: [...values, query.limit + 1] }
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
