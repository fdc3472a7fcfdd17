import { loadPackage } from '../../../../../credentials/cloud/load-package.js'
import { createRowBuffer } from '../row-buffer.js'
import { serverAddress, tlsOptions } from '../server-address.js'
import type {
  Answer,
  Column,
  ConnectionFields,
  ConnectOptions,
  Engine,
  Session,
  Statement,
} from '../session.js'
import { networkProblem, type SqlProblem, type SqlProblemKind } from '../sql-problem.js'
import { columnOf, parserOf, toBound, type PgField, type PgTypes } from './postgresql-values.js'

const PACKAGE = 'pg'
const PORT = 5432
/** Rows of one round trip: the server sends no more before they are read. */
const PAGE_ROWS = 500

interface PgClient {
  readonly processID: number
  connect(): Promise<void>
  query(text: string): Promise<unknown>
  query<Submitted extends object>(submittable: Submitted): Submitted
  end(): Promise<void>
  on(event: 'error' | 'end', listener: () => void): void
}

interface PgConnection {
  sync(): void
}

interface PgQuery {
  on(event: 'row', listener: (row: unknown[]) => void): void
  on(event: 'error', listener: (error: unknown) => void): void
  on(event: 'end', listener: (result: { rowCount: number | null; command: string | null }) => void): void
  handleRowDescription(message: { fields: readonly PgField[] }): void
  handleCommandComplete(message: unknown, connection: PgConnection): void
  handlePortalSuspended(connection: PgConnection): void
  handleError(error: unknown, connection: PgConnection): void
}

interface Library {
  Client: new (options: object) => PgClient
  Query: new (options: object) => PgQuery
  types: PgTypes
}

export const postgresql: Engine = {
  title: 'PostgreSQL',
  packages: [PACKAGE],
  placeholder: (at) => `$${at}`,
  // One parameter, so that its type can be found where it stands beside a column.
  repeatsPlaceholders: true,
  hasTransactions: true,
  connect: connectTo,
  explain,
}

async function connectTo(fields: ConnectionFields, { user, timeoutMs }: ConnectOptions): Promise<Session> {
  const { default: library } = await loadPackage<{ default: Library }>(PACKAGE, user)
  const address = serverAddress(fields, PORT)
  const options = {
    host: address.host,
    port: address.port,
    database: address.database,
    user: address.username,
    password: address.password,
    ssl: tlsOptions(address) ?? false,
    application_name: 'toolcrib',
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
  }
  const client = new library.Client(options)
  let isOpen = true
  client.on('error', () => (isOpen = false))
  client.on('end', () => (isOpen = false))
  await client.connect()

  async function cancel(): Promise<void> {
    const other = new library.Client(options)
    other.on('error', () => {})
    await other.connect()
    try {
      // The number is the server's own.
      await other.query(`SELECT pg_cancel_backend(${Math.trunc(client.processID)})`)
    } finally {
      await other.end()
    }
  }

  return {
    async begin({ isReadOnly, timeoutMs: limitMs }) {
      const limit = Math.max(1, Math.ceil(limitMs))
      await client.query(
        `BEGIN ${isReadOnly ? 'READ ONLY' : 'READ WRITE'}; SET LOCAL statement_timeout = ${limit}; SET LOCAL idle_in_transaction_session_timeout = ${limit + 60_000}`,
      )
    },
    query: (statement) => runQuery(client, library, statement),
    commit: async () => void (await client.query('COMMIT')),
    rollback: async () => void (await client.query('ROLLBACK')),
    cancel,
    isOpen: () => isOpen,
    async close() {
      isOpen = false
      await client.end()
    },
  }
}

function runQuery(client: PgClient, library: Library, { text, values }: Statement): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let affectedRows: number | undefined
    const pages = createPages()
    const buffer = createRowBuffer({ empty: pages.want })
    const answer = (columns: readonly Column[]): void =>
      resolve({ columns, rows: buffer.rows, facts: () => ({ affectedRows }) })
    const query = new library.Query({
      text,
      values: values.map(({ value }) => toBound(value)),
      rowMode: 'array',
      rows: PAGE_ROWS,
      // Also without values: only the extended protocol refuses a second statement.
      queryMode: 'extended',
      types: { getTypeParser: (oid: number, format?: string) => parserOf(library.types, oid, format) },
    })
    const { handleRowDescription, handlePortalSuspended, handleError } = query
    Object.assign(query, {
      handleRowDescription(message: { fields: readonly PgField[] }) {
        handleRowDescription.call(query, message)
        answer(message.fields.map((field) => columnOf(library.types, field)))
      },
      handlePortalSuspended: (connection: PgConnection) =>
        pages.suspended(() => handlePortalSuspended.call(query, connection)),
      handleError(error: unknown, connection: PgConnection) {
        // With pages the library has not sent it, and the server waits for it.
        if ((error as { severity?: unknown }).severity === 'ERROR') connection.sync()
        handleError.call(query, error, connection)
      },
    })
    query.on('row', (row) => {
      pages.arrived()
      buffer.push(row)
    })
    query.on('error', (error) => {
      buffer.fail(error)
      reject(error as Error)
    })
    query.on('end', ({ rowCount, command }) => {
      affectedRows = command === 'SELECT' ? undefined : (rowCount ?? undefined)
      buffer.end()
      answer([])
    })
    client.query(query)
  })
}

interface Pages {
  /** A reader waits. */
  want(): void
  /** The server waits; `next` makes it go on. */
  suspended(next: () => void): void
  arrived(): void
}

/** The next page is fetched when a reader wants it and not before. */
function createPages(): Pages {
  let isWanted = false
  let next: (() => void) | undefined
  function go(): void {
    if (!isWanted || !next) return
    const fetch = next
    isWanted = false
    next = undefined
    fetch()
  }
  return {
    want() {
      isWanted = true
      go()
    },
    suspended(given) {
      next = given
      go()
    },
    arrived: () => void (isWanted = false),
  }
}

/** By SQLSTATE, or by its first two characters. */
const KINDS: Readonly<Record<string, SqlProblemKind>> = {
  '28': 'login',
  '3D000': 'login',
  '08': 'lost',
  '57P01': 'lost',
  '57P02': 'lost',
  '57P03': 'unreachable',
  '57014': 'canceled',
  '53': 'busy',
  '42501': 'permission',
  '25006': 'read_only',
  '42': 'statement',
  '0A': 'statement',
  '22': 'values',
  '23': 'values',
  '40': 'conflict',
  '55P03': 'conflict',
}

export function explain(error: unknown): SqlProblem {
  const { code, message, constraint, table, column, severity } = error as Record<string, unknown>
  if (typeof severity !== 'string' || typeof code !== 'string') return explainClient(error)
  const facts = Object.fromEntries(
    Object.entries({ constraint, table, column }).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
  return { kind: kindOf(code, String(message)), code, words: String(message), facts }
}

function kindOf(code: string, message: string): SqlProblemKind {
  // The same code for a limit of the server and for a request to cancel.
  if (code === '57014' && message.includes('statement timeout')) return 'timeout'
  return KINDS[code] ?? KINDS[code.slice(0, 2)] ?? 'other'
}

/** Errors of the library itself have no codes. */
function explainClient(error: unknown): SqlProblem {
  const known = networkProblem(error)
  if (known) return known
  const message = error instanceof Error ? error.message : ''
  if (/does not support SSL/i.test(message)) return { kind: 'tls' }
  if (/^Connection terminated due to connection timeout|timeout expired/i.test(message))
    return { kind: 'unreachable' }
  if (/terminated|not queryable|Client was closed/i.test(message)) return { kind: 'lost' }
  return { kind: 'other' }
}
