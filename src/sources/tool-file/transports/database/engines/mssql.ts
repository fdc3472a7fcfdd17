import { loadPackage } from '../../../../../credentials/cloud/load-package.js'
import { createRowBuffer } from '../row-buffer.js'
import { serverAddress, text as textOf } from '../server-address.js'
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

const PACKAGE = 'tedious'
const PORT = 1433

type Done = (error?: Error | null, rowCount?: number) => void

interface Metadata {
  readonly colName: string
  readonly type: { readonly name: string }
}

interface TdsRequest {
  addParameter(name: string, type: unknown, value: unknown): void
  setTimeout(ms: number): void
  pause(): void
  resume(): void
  on(event: 'columnMetadata', listener: (columns: readonly Metadata[]) => void): void
  on(event: 'row', listener: (row: readonly { value: unknown }[]) => void): void
}

interface TdsConnection {
  connect(callback: (error?: Error) => void): void
  execSql(request: TdsRequest): void
  beginTransaction(callback: Done): void
  commitTransaction(callback: Done): void
  rollbackTransaction(callback: Done): void
  cancel(): boolean
  close(): void
  on(event: 'error' | 'end', listener: () => void): void
}

/** The types of parameters, under their names in the library. */
type BoundType = 'NVarChar' | 'Int' | 'BigInt' | 'Float' | 'Bit' | 'DateTimeOffset' | 'VarBinary'

interface Library {
  Connection: new (options: object) => TdsConnection
  Request: new (text: string, callback: Done) => TdsRequest
  TYPES: Readonly<Record<BoundType, unknown>>
}

export const mssql: Engine = {
  title: 'SQL Server',
  packages: [PACKAGE],
  // As Kysely writes them.
  placeholder: (at) => `@${at}`,
  repeatsPlaceholders: true,
  hasTransactions: true,
  connect: connectTo,
  explain,
}

async function connectTo(fields: ConnectionFields, { user, timeoutMs }: ConnectOptions): Promise<Session> {
  const { default: library } = await loadPackage<{ default: Library }>(PACKAGE, user)
  const connection = new library.Connection(connectionOptions(fields, timeoutMs))
  let isOpen = true
  connection.on('error', () => (isOpen = false))
  connection.on('end', () => (isOpen = false))
  await new Promise<void>((resolve, reject) =>
    connection.connect((error) => (error ? reject(error) : resolve())),
  )
  let limitMs = timeoutMs

  return {
    async begin(options) {
      limitMs = Math.max(1, Math.ceil(options.timeoutMs))
      await settled((done) => connection.beginTransaction(done))
    },
    query: (statement) => runRequest(connection, library, { ...statement, limitMs }),
    commit: () => settled((done) => connection.commitTransaction(done)),
    rollback: () => settled((done) => connection.rollbackTransaction(done)),
    async cancel() {
      connection.cancel()
    },
    isOpen: () => isOpen,
    async close() {
      isOpen = false
      connection.close()
    },
  }
}

function connectionOptions(fields: ConnectionFields, timeoutMs: number): object {
  const { host, port, database, username, password, tls, ca } = serverAddress(fields, PORT)
  const token = textOf(fields['access_token'])
  return {
    server: host,
    authentication:
      token === ''
        ? { type: 'default', options: { userName: username, password } }
        : { type: 'azure-active-directory-access-token', options: { token } },
    options: {
      port,
      database,
      appName: 'toolcrib',
      encrypt: tls !== 'disable',
      trustServerCertificate: tls === 'require',
      ...(ca !== undefined && { cryptoCredentialsDetails: { ca } }),
      connectTimeout: timeoutMs,
      cancelTimeout: CANCEL_MS,
      useUTC: true,
      abortTransactionOnError: true,
      // Whether to try again is decided for calls.
      maxRetriesOnTransientErrors: 0,
    },
  }
}

const CANCEL_MS = 2_000

const settled = (start: (done: Done) => void): Promise<void> =>
  new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())))

function runRequest(
  connection: TdsConnection,
  library: Library,
  { text, values, limitMs }: Statement & { readonly limitMs: number },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let affectedRows: number | undefined
    let types: readonly string[] | undefined
    const request = new library.Request(text, (error, rowCount) => {
      if (error) {
        buffer.fail(error)
        return reject(error)
      }
      affectedRows = types ? undefined : rowCount
      buffer.end()
      resolve({ columns: [], rows: buffer.rows, facts: () => ({ affectedRows }) })
    })
    const buffer = createRowBuffer({ full: () => request.pause(), empty: () => request.resume() })
    for (const [at, { value }] of values.entries()) {
      const bound = toBound(value)
      request.addParameter(String(at + 1), library.TYPES[bound.type], bound.value)
    }
    request.setTimeout(limitMs)
    request.on('columnMetadata', (given) => {
      // Of several results only the first is read.
      if (types) return
      types = given.map(({ type }) => type.name)
      resolve({ columns: given.map(columnOf), rows: buffer.rows, facts: () => ({ affectedRows }) })
    })
    request.on('row', (row) => buffer.push(row.map(({ value }, at) => toValue(value, types?.[at]))))
    connection.execSql(request)
  })
}

/** Arrays and objects are JSON texts (`OPENJSON(:ids)`). Dates and bytes come from code only. */
export function toBound(value: unknown): { type: BoundType; value: unknown } {
  if (value instanceof Date) return { type: 'DateTimeOffset', value }
  if (value instanceof Uint8Array) return { type: 'VarBinary', value: Buffer.from(value) }
  switch (typeof value) {
    case 'boolean':
      return { type: 'Bit', value }
    case 'number':
      if (!Number.isSafeInteger(value)) return { type: 'Float', value }
      return Math.abs(value) < 2 ** 31 ? { type: 'Int', value } : { type: 'BigInt', value: String(value) }
    case 'bigint':
      return { type: 'BigInt', value: String(value) }
    case 'object':
      return { type: 'NVarChar', value: value === null ? null : JSON.stringify(value) }
    default:
      return { type: 'NVarChar', value }
  }
}

const columnOf = ({ colName, type: { name } }: Metadata): Column => ({
  name: colName,
  type: name.toLowerCase(),
  ...(/^(?:BigInt|IntN)$/.test(name) && { isNumber: true }),
})

/** All dates arrive as times in UTC, whatever their type is. */
function toValue(value: unknown, type = ''): unknown {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return value
  const iso = value.toISOString()
  switch (type) {
    case 'Date':
      return iso.slice(0, 10)
    case 'Time':
      return iso.slice(11, -1)
    case 'DateTimeOffset':
      return iso
    default:
      return iso.slice(0, -1)
  }
}

/** By the number of the error. */
const KINDS: Readonly<Record<number, SqlProblemKind>> = {
  4060: 'login',
  18452: 'login',
  18456: 'login',
  18470: 'login',
  10928: 'busy',
  10929: 'busy',
  40501: 'busy',
  40613: 'unreachable',
  229: 'permission',
  230: 'permission',
  262: 'permission',
  297: 'permission',
  300: 'permission',
  3906: 'read_only',
  3908: 'read_only',
  1205: 'conflict',
  1222: 'conflict',
  3960: 'conflict',
  102: 'statement',
  105: 'statement',
  137: 'statement',
  156: 'statement',
  207: 'statement',
  208: 'statement',
  2812: 'statement',
  220: 'values',
  241: 'values',
  242: 'values',
  245: 'values',
  515: 'values',
  547: 'values',
  2601: 'values',
  2627: 'values',
  2628: 'values',
  8114: 'values',
  8115: 'values',
  8152: 'values',
}

export function explain(error: unknown): SqlProblem {
  const { number, state, code, message } = error as Record<string, unknown>
  if (typeof number === 'number' && typeof message === 'string') {
    const facts = typeof state === 'number' ? { state } : undefined
    return { kind: KINDS[number] ?? 'other', code: String(number), words: message, facts }
  }
  const known = networkProblem(error)
  if (known) return known
  switch (code) {
    case 'ELOGIN':
    case 'EFEDAUTH':
      return { kind: 'login', code }
    case 'EENCRYPT':
      return { kind: 'tls', code }
    case 'ETIMEOUT':
      return {
        kind:
          error instanceof Error && error.message.startsWith('Failed to connect') ? 'unreachable' : 'timeout',
        code,
      }
    case 'ECANCEL':
      return { kind: 'canceled', code }
    case 'ESOCKET':
    case 'ECLOSE':
    case 'EINVALIDSTATE':
      return { kind: 'lost', code }
    case 'EPARAM':
      return { kind: 'values', code }
    default:
      return { kind: 'other' }
  }
}
