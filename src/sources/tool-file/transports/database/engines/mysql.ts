import { loadPackage } from '../../../../../credentials/cloud/load-package.js'
import { createRowBuffer } from '../row-buffer.js'
import { serverAddress, tlsOptions } from '../server-address.js'
import {
  isOfCode,
  NO_ROWS,
  type Answer,
  type Column,
  type ConnectionFields,
  type ConnectOptions,
  type Engine,
  type Session,
  type Statement,
} from '../session.js'
import { explain } from './mysql-errors.js'

const PACKAGE = 'mysql2'
const PORT = 3306

interface Field {
  readonly name: string
  readonly columnType: number
}

interface Written {
  readonly affectedRows: number
  readonly insertId: number | string
}

interface Command {
  on(event: 'fields', listener: (fields: readonly Field[] | undefined) => void): void
  on(event: 'result', listener: (row: unknown[] | Written) => void): void
  on(event: 'error', listener: (error: unknown) => void): void
  on(event: 'end', listener: () => void): void
}

interface MysqlConnection {
  readonly threadId: number
  connect(callback: (error: Error | null) => void): void
  query(text: string, callback: (error: Error | null, rows: unknown[][]) => void): void
  execute(options: object): Command
  end(callback: () => void): void
  destroy(): void
  pause(): void
  resume(): void
  on(event: 'error' | 'end', listener: (error?: unknown) => void): void
}

interface Library {
  createConnection(options: object): MysqlConnection
  Types: Readonly<Record<number, string>>
}

export const mysql: Engine = {
  title: 'MySQL',
  packages: [PACKAGE],
  placeholder: () => '?',
  repeatsPlaceholders: false,
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
    ssl: tlsOptions(address),
    connectTimeout: timeoutMs,
    charset: 'utf8mb4',
    multipleStatements: false,
    // Servers of clouds want a token as it is, which only TLS protects. A password is never sent so.
    ...(fields['token_login'] === true && address.tls !== 'disable' && { enableCleartextPlugin: true }),
    // A server must not be able to ask for files of this machine.
    flags: ['-LOCAL_FILES'],
    dateStrings: true,
    timezone: 'Z',
    supportBigNumbers: true,
    rowsAsArray: true,
    // A statement is prepared once for each connection, and there are as many as tools.
    maxPreparedStatements: 200,
  }
  const connection = library.createConnection(options)
  let isOpen = true
  const running: Running = { fail: undefined }
  const onEnd = (error: unknown = ENDED): void => {
    isOpen = false
    running.fail?.(error)
  }
  connection.on('error', onEnd)
  connection.on('end', onEnd)
  await connected(connection)
  const send = (text: string): Promise<unknown[][]> => queryText(connection, text)
  // Times with a zone are sent in the zone of the session.
  const [[version] = []] = await send(`SELECT VERSION() FROM (SELECT 1) AS one`)
  await send(`SET SESSION time_zone = '+00:00'`)
  const setLimit = String(version).includes('MariaDB') ? mariadbLimit : mysqlLimit
  let limitMs: number | undefined

  return {
    async begin({ isReadOnly, timeoutMs: wantedMs }) {
      const wanted = Math.max(1, Math.ceil(wantedMs))
      if (wanted !== limitMs) await send(setLimit(wanted))
      limitMs = wanted
      const access = isReadOnly ? 'READ ONLY' : 'READ WRITE'
      // Also for the session: a procedure may commit and go on. Each time, because a statement may change it.
      await send(`SET SESSION TRANSACTION ${access}`)
      await send(`START TRANSACTION ${access}`)
    },
    query: (statement) => runStatement({ connection, library, running }, statement),
    commit: async () => void (await send('COMMIT')),
    rollback: async () => void (await send('ROLLBACK')),
    cancel: () => killQuery(library, options, connection.threadId),
    isOpen: () => isOpen,
    close: () =>
      new Promise((resolve) => {
        isOpen = false
        const timer = setTimeout(() => {
          connection.destroy()
          resolve()
        }, CLOSE_MS)
        connection.end(() => {
          clearTimeout(timer)
          connection.destroy()
          resolve()
        })
      }),
  }
}

/** A connection that waits for a statement does not end by itself. */
const CLOSE_MS = 1_000

const mariadbLimit = (ms: number): string => `SET SESSION max_statement_time = ${ms / 1000}`
const mysqlLimit = (ms: number): string => `SET SESSION max_execution_time = ${ms}`

const connected = (connection: MysqlConnection): Promise<void> =>
  new Promise((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())))

const queryText = (connection: MysqlConnection, text: string): Promise<unknown[][]> =>
  new Promise((resolve, reject) =>
    connection.query(text, (error, rows) => (error ? reject(error) : resolve(rows))),
  )

async function killQuery(library: Library, options: object, threadId: number): Promise<void> {
  const other = library.createConnection(options)
  other.on('error', () => {})
  try {
    await connected(other)
    // The number is the server's own.
    await queryText(other, `KILL QUERY ${Math.trunc(threadId)}`)
  } finally {
    other.destroy()
  }
}

/** The statement of a connection. The library does not tell it when the connection ends. */
interface Running {
  fail: ((error: unknown) => void) | undefined
}

const ENDED = Object.assign(new Error('The connection has ended.'), { code: 'PROTOCOL_CONNECTION_LOST' })

interface RunOptions {
  readonly connection: MysqlConnection
  readonly library: Library
  readonly running: Running
}

function runStatement(
  { connection, library, running }: RunOptions,
  { text, values }: Statement,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let isPaused = false
    const buffer = createRowBuffer({
      full() {
        isPaused = true
        connection.pause()
      },
      empty() {
        if (!isPaused) return
        // Before: rows that wait already may fill the buffer again.
        isPaused = false
        connection.resume()
      },
    })
    const fail = (error: unknown): void => {
      running.fail = undefined
      buffer.fail(error)
      reject(error as Error)
    }
    running.fail = fail
    // As a prepared statement: the other method of the library writes values into the text.
    const command = connection.execute({ sql: text, values: values.map(({ value }) => toBound(value)) })
    let types: readonly number[] = []
    command.on('fields', (fields) => {
      if (!fields) return
      types = fields.map(({ columnType }) => columnType)
      const columns = fields.map((field) => columnOf(library, field))
      resolve({ columns, rows: buffer.rows, facts: () => ({}) })
    })
    command.on('result', (row) => {
      if (Array.isArray(row)) return buffer.push(row.map((value, at) => toValue(value, types[at])))
      const { affectedRows, insertId } = row
      const id = insertId === 0 || insertId === '0' ? undefined : insertId
      resolve({ columns: [], rows: NO_ROWS, facts: () => ({ affectedRows, insertId: id }) })
    })
    command.on('error', fail)
    command.on('end', () => {
      running.fail = undefined
      buffer.end()
    })
  })
}

/**
 * Integers are sent as texts: as the number of the library, which has a fraction, `LIMIT` refuses them. Arrays and objects are
 * JSON texts (`JSON_TABLE(:ids, …)`).
 */
export function toBound(value: unknown): unknown {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (typeof value !== 'object' || value === null || isOfCode(value)) return value
  return JSON.stringify(value)
}

/** The numbers of types in the protocol. */
const TIMESTAMP = 7
const DATETIME = 12
const NUMBERS: ReadonlySet<number> = new Set([0, 8, 246])
const BIT = 16

const columnOf = ({ Types }: Library, { name, columnType }: Field): Column => ({
  name,
  type: (Types[columnType] ?? `type ${columnType}`).toLowerCase(),
  ...(NUMBERS.has(columnType) && { isNumber: true }),
})

function toValue(value: unknown, columnType: number | undefined): unknown {
  if (columnType === BIT && value instanceof Uint8Array) return bitsOf(value)
  if (typeof value !== 'string' || (columnType !== TIMESTAMP && columnType !== DATETIME)) return value
  return value.replace(' ', 'T') + (columnType === TIMESTAMP ? 'Z' : '')
}

const bitsOf = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
