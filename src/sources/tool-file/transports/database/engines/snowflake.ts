import type { Readable } from 'node:stream'
import { loadPackage } from '../../../../../credentials/cloud/load-package.js'
import { text as textOf } from '../server-address.js'
import type {
  Answer,
  Column,
  ConnectionFields,
  ConnectOptions,
  Engine,
  Row,
  Session,
  Statement,
} from '../session.js'
import { networkProblem, type SqlProblem, type SqlProblemKind } from '../sql-problem.js'

const PACKAGE = 'snowflake-sdk'
const BATCH_ROWS = 500

interface SnowflakeColumn {
  getName(): string
  getType(): string
}

interface SnowflakeStatement {
  getColumns(): readonly SnowflakeColumn[] | undefined
  getNumUpdatedRows(): number | undefined
  getQueryId(): string
  streamRows(): Readable
  cancel(callback: (error: Error | undefined) => void): void
}

interface SnowflakeConnection {
  connect(callback: (error: Error | undefined) => void): void
  isUp(): boolean
  destroy(callback: () => void): void
  execute(options: object): SnowflakeStatement
}

interface Library {
  configure(options: object): void
  createConnection(options: object): SnowflakeConnection
}

export const snowflake: Engine = {
  title: 'Snowflake',
  packages: [PACKAGE],
  placeholder: () => '?',
  repeatsPlaceholders: false,
  hasTransactions: true,
  connect: connectTo,
  explain,
}

async function connectTo(fields: ConnectionFields, { user, timeoutMs }: ConnectOptions): Promise<Session> {
  const { default: library } = await loadPackage<{ default: Library }>(PACKAGE, user)
  // Its log would be a file in the working directory.
  library.configure({ logLevel: 'OFF', additionalLogToConsole: false })
  const connection = library.createConnection(connectionOptions(fields, timeoutMs))
  await new Promise<void>((resolve, reject) =>
    connection.connect((error) => (error ? reject(error) : resolve())),
  )
  let running: SnowflakeStatement | undefined
  let limitMs = timeoutMs

  function execute(statement: Statement): Promise<SnowflakeStatement> {
    return new Promise((resolve, reject) => {
      running = connection.execute({
        sqlText: statement.text,
        binds: statement.values.map(({ value }) => toBound(value)),
        streamResult: true,
        rowMode: 'array',
        // Numbers may be too long for a number of JavaScript.
        fetchAsString: ['Number'],
        parameters: {
          MULTI_STATEMENT_COUNT: 1,
          STATEMENT_TIMEOUT_IN_SECONDS: Math.max(1, Math.ceil(limitMs / 1000)),
        },
        complete: (error: Error | undefined, done: SnowflakeStatement) =>
          error ? reject(error) : resolve(done),
      })
    })
  }
  const send = async (text: string): Promise<void> => void (await execute({ text, values: [] }))

  return {
    async begin(options) {
      limitMs = options.timeoutMs
      await send('BEGIN')
    },
    query: async (statement) => toAnswer(await execute(statement)),
    commit: () => send('COMMIT'),
    rollback: () => send('ROLLBACK'),
    cancel: () =>
      new Promise((resolve, reject) => {
        if (!running) return resolve()
        running.cancel((error) => (error ? reject(error) : resolve()))
      }),
    isOpen: () => connection.isUp(),
    close: () => new Promise((resolve) => connection.destroy(() => resolve())),
  }
}

function connectionOptions(fields: ConnectionFields, timeoutMs: number): object {
  const optional = ['database', 'schema', 'role'].filter((name) => textOf(fields[name]) !== '')
  const address = textOf(fields['access_url'])
  return {
    account: textOf(fields['account']),
    username: textOf(fields['username']),
    password: textOf(fields['password']),
    warehouse: textOf(fields['warehouse']),
    ...Object.fromEntries(optional.map((name) => [name, textOf(fields[name])])),
    // A private address of the account.
    ...(address !== '' && { accessUrl: address }),
    application: 'toolcrib',
    timeout: timeoutMs,
    sfRetryMaxLoginRetries: 1,
  }
}

function toAnswer(statement: SnowflakeStatement): Answer {
  const given = statement.getColumns() ?? []
  const affectedRows = statement.getNumUpdatedRows()
  const isWritten = affectedRows !== undefined && affectedRows >= 0
  const types = given.map((column) => column.getType())

  async function* rows(): AsyncGenerator<readonly Row[], void, void> {
    let batch: Row[] = []
    for await (const row of statement.streamRows() as AsyncIterable<unknown[]>) {
      batch.push(row.map((value, at) => toValue(value, types[at])))
      if (batch.length < BATCH_ROWS) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }

  return {
    // A statement that writes answers with a table of counts.
    columns: isWritten ? [] : given.map(columnOf),
    rows: isWritten ? { async *[Symbol.asyncIterator]() {} } : { [Symbol.asyncIterator]: rows },
    facts: () => ({ queryId: statement.getQueryId(), ...(isWritten && { affectedRows }) }),
  }
}

/** Arrays and objects are JSON texts (`PARSE_JSON(:filter)`): the library would write several rows with an array. */
export function toBound(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

const columnOf = (column: SnowflakeColumn): Column => ({
  name: column.getName(),
  type: column.getType(),
  ...(/^(?:fixed|real|decfloat)$/.test(column.getType()) && { isNumber: true }),
})

function toValue(value: unknown, type = ''): unknown {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return value
  const iso = new Date(value.getTime()).toISOString()
  if (type === 'date') return iso.slice(0, 10)
  return type === 'timestamp_ntz' ? iso.slice(0, -1) : iso
}

/** By the number of the error. */
const KINDS: Readonly<Record<number, SqlProblemKind>> = {
  390100: 'login',
  390102: 'login',
  390144: 'login',
  390318: 'login',
  390101: 'login',
  390111: 'lost',
  390112: 'lost',
  390114: 'lost',
  604: 'canceled',
  630: 'timeout',
  3001: 'permission',
  1003: 'statement',
  904: 'statement',
  2003: 'statement',
  2140: 'statement',
  100038: 'values',
  100035: 'values',
  100040: 'values',
  100046: 'values',
  100078: 'values',
  100069: 'values',
  100072: 'values',
  100132: 'values',
  625: 'conflict',
}

/** Errors of the network in the library's own numbers. */
const NETWORK: Readonly<Record<number, SqlProblemKind>> = {
  401001: 'unreachable',
  401002: 'unreachable',
  407001: 'lost',
  407002: 'lost',
  405503: 'lost',
}

export function explain(error: unknown): SqlProblem {
  const { code, sqlState, message, data } = error as Record<string, unknown>
  const number = Number(code)
  if (Number.isInteger(number) && KINDS[number]) {
    const facts = typeof sqlState === 'string' ? { sqlstate: sqlState } : undefined
    return { kind: KINDS[number], code: String(number), words: String(message), facts }
  }
  if (NETWORK[number]) return { kind: NETWORK[number], code: String(number) }
  const known = networkProblem(error)
  if (known) return known
  if (data !== undefined && typeof sqlState === 'string')
    return {
      kind: kindOfState(sqlState),
      code: String(code),
      words: String(message),
      facts: { sqlstate: sqlState },
    }
  return { kind: 'other', ...(Number.isInteger(number) && { code: String(number) }) }
}

function kindOfState(state: string): SqlProblemKind {
  if (state.startsWith('22') || state.startsWith('23')) return 'values'
  if (state === '42501') return 'permission'
  if (state === '57014') return 'canceled'
  return state.startsWith('42') || state.startsWith('02') ? 'statement' : 'other'
}
