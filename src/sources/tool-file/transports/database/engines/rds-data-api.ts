import { awsOptions, regionOfArn } from '../../../../../credentials/cloud/aws-options.js'
import { loadPackage } from '../../../../../credentials/cloud/load-package.js'
import { text as textOf } from '../server-address.js'
import type {
  Answer,
  Column,
  ConnectionFields,
  ConnectOptions,
  Engine,
  Parameter,
  Row,
  Session,
} from '../session.js'
import { networkProblem, type SqlProblem, type SqlProblemKind } from '../sql-problem.js'

const PACKAGE = '@aws-sdk/client-rds-data'

interface Field {
  readonly isNull?: boolean
  readonly stringValue?: string
  readonly longValue?: number
  readonly doubleValue?: number
  readonly booleanValue?: boolean
  readonly blobValue?: Uint8Array
  readonly arrayValue?: Readonly<Record<string, unknown>>
}

interface Executed {
  readonly records?: readonly (readonly Field[])[]
  readonly columnMetadata?: readonly { label?: string; name?: string; typeName?: string }[]
  readonly numberOfRecordsUpdated?: number
  readonly generatedFields?: readonly Field[]
}

interface Library {
  RDSDataClient: new (options: object) => {
    send(
      command: object,
      options: { abortSignal: AbortSignal },
    ): Promise<Executed & { transactionId?: string }>
    destroy(): void
  }
  BeginTransactionCommand: new (input: object) => object
  CommitTransactionCommand: new (input: object) => object
  RollbackTransactionCommand: new (input: object) => object
  ExecuteStatementCommand: new (input: object) => object
}

export const rdsDataApi: Engine = {
  title: 'RDS Data API',
  packages: [PACKAGE],
  placeholder: (at) => `:p${at}`,
  repeatsPlaceholders: true,
  hasTransactions: true,
  connect: connectTo,
  explain,
}

async function connectTo(fields: ConnectionFields, { user }: ConnectOptions): Promise<Session> {
  const library = await loadPackage<Library>(PACKAGE, user)
  const resourceArn = textOf(fields['cluster_arn'])
  const target = { resourceArn, secretArn: textOf(fields['secret_arn']) }
  const database = textOf(fields['database'])
  const client = new library.RDSDataClient(awsOptions(regionOfArn(resourceArn)))
  let transactionId: string | undefined
  let abort = new AbortController()
  /** Only PostgreSQL can make a transaction read-only once it has begun. */
  let isPostgresql: boolean | undefined

  const send = (command: object): Promise<Executed & { transactionId?: string }> =>
    client.send(command, { abortSignal: abort.signal })
  const execute = (sql: string, more: object = {}): Promise<Executed> =>
    send(new library.ExecuteStatementCommand({ ...target, database, sql, transactionId, ...more }))

  async function limit({ isReadOnly, timeoutMs }: { isReadOnly: boolean; timeoutMs: number }): Promise<void> {
    if (isPostgresql === false) return
    try {
      await execute(`SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(timeoutMs))}`)
      if (isReadOnly) await execute('SET TRANSACTION READ ONLY')
      isPostgresql = true
    } catch (error) {
      if (isPostgresql || explain(error).kind !== 'statement') throw error
      isPostgresql = false
    }
  }

  const begin = async (): Promise<void> => {
    transactionId = (await send(new library.BeginTransactionCommand({ ...target, database }))).transactionId
  }
  const end = async (Command: new (input: object) => object): Promise<void> => {
    abort = new AbortController()
    if (transactionId !== undefined) await send(new Command({ ...target, transactionId }))
    transactionId = undefined
  }

  return {
    async begin(options) {
      abort = new AbortController()
      await begin()
      const wasPostgresql = isPostgresql
      await limit(options)
      if (wasPostgresql !== undefined || isPostgresql) return
      // The statement that failed may have ended the transaction.
      await end(library.RollbackTransactionCommand)
      await begin()
    },
    query: async ({ text, values }) =>
      toAnswer(await execute(text, { parameters: values.map(toSqlParameter), includeResultMetadata: true })),
    commit: () => end(library.CommitTransactionCommand),
    rollback: () => end(library.RollbackTransactionCommand),
    async cancel() {
      abort.abort()
    },
    isOpen: () => true,
    async close() {
      client.destroy()
    },
  }
}

/**
 * Texts with a format of JSON Schema are sent with a hint: the API has no other way to find their type. Arrays and objects
 * are JSON texts (`json_array_elements_text(:ids::json)`).
 */
export function toSqlParameter({ value, schema }: Parameter, at: number): object {
  const name = `p${at + 1}`
  switch (typeof value) {
    case 'boolean':
      return { name, value: { booleanValue: value } }
    case 'number':
      return { name, value: Number.isSafeInteger(value) ? { longValue: value } : { doubleValue: value } }
    case 'string':
      return { name, ...hinted(value, formatOf(schema)) }
    default:
      return value === null
        ? { name, value: { isNull: true } }
        : { name, value: { stringValue: JSON.stringify(value) }, typeHint: 'JSON' }
  }
}

const formatOf = (schema: unknown): unknown => (schema as { format?: unknown } | undefined)?.format

function hinted(text: string, format: unknown): { value: Field; typeHint?: string } {
  const value = { stringValue: text }
  switch (format) {
    case 'uuid':
      return { value, typeHint: 'UUID' }
    case 'date':
      return { value, typeHint: 'DATE' }
    case 'time':
      return { value, typeHint: 'TIME' }
    case 'date-time': {
      const ms = Date.parse(text)
      if (Number.isNaN(ms)) return { value }
      const utc = new Date(ms).toISOString().slice(0, -1).replace('T', ' ')
      return { value: { stringValue: utc }, typeHint: 'TIMESTAMP' }
    }
    default:
      return { value }
  }
}

function toAnswer({ records, columnMetadata, numberOfRecordsUpdated, generatedFields }: Executed): Answer {
  const columns: Column[] = (columnMetadata ?? []).map(({ label, name, typeName = '' }) => ({
    name: label || name || '',
    type: typeName.toLowerCase(),
    ...(/^(?:numeric|decimal|newdecimal)$/i.test(typeName) && { isNumber: true }),
  }))
  const [generated] = generatedFields ?? []
  const insertId = generated && toValue(generated)
  async function* rows(): AsyncGenerator<readonly Row[], void, void> {
    if (records && records.length > 0)
      yield records.map((row) => row.map((field, at) => toTime(toValue(field), columns[at]?.type)))
  }
  return {
    columns,
    rows: { [Symbol.asyncIterator]: rows },
    facts: () => ({
      ...(columns.length === 0 && { affectedRows: numberOfRecordsUpdated }),
      ...((typeof insertId === 'number' || typeof insertId === 'string') && { insertId }),
    }),
  }
}

function toValue({ isNull, arrayValue, ...one }: Field): unknown {
  if (isNull) return null
  if (!arrayValue) return Object.values(one)[0] ?? null
  const [values] = Object.values(arrayValue) as [readonly unknown[] | undefined]
  return (values ?? []).map((each) =>
    typeof each === 'object' && each !== null
      ? toValue({ arrayValue: each as Field['arrayValue'] } as Field)
      : each,
  )
}

/** The API writes times in UTC and without a zone. */
function toTime(value: unknown, type = ''): unknown {
  if (typeof value !== 'string' || !/^(?:timestamp|datetime)/.test(type)) return value
  return value.replace(' ', 'T') + (type === 'timestamptz' ? 'Z' : '')
}

/** By the name of the error. */
const KINDS: Readonly<Record<string, SqlProblemKind>> = {
  AccessDeniedException: 'login',
  ForbiddenException: 'login',
  InvalidSecretException: 'login',
  SecretsErrorException: 'login',
  ExpiredTokenException: 'login',
  UnrecognizedClientException: 'login',
  CredentialsProviderError: 'login',
  StatementTimeoutException: 'timeout',
  DatabaseUnavailableException: 'unreachable',
  DatabaseResumingException: 'unreachable',
  ServiceUnavailableError: 'busy',
  ThrottlingException: 'busy',
  HttpEndpointNotEnabledException: 'unreachable',
  TransactionNotFoundException: 'lost',
  InvalidResourceStateException: 'unreachable',
  AbortError: 'canceled',
}

export function explain(error: unknown): SqlProblem {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' }
  if (KINDS[name]) return { kind: KINDS[name], code: name, words: message }
  if (name === 'DatabaseErrorException' || name === 'BadRequestException') return inWords(name, message)
  return networkProblem(error) ?? { kind: 'other', ...(name !== '' && name !== 'Error' && { code: name }) }
}

/** `ERROR: duplicate key …; SQLState: 23505`, or `Database error code: 1062. Message: …` */
function inWords(name: string, message: string): SqlProblem {
  const state = /SQLState:\s*([0-9A-Z]{5})/.exec(message)?.[1]
  const number = /error code:\s*(\d+)/i.exec(message)?.[1]
  const code = state ?? number ?? name
  return { kind: kindOf(state, number), code, words: message }
}

function kindOf(state: string | undefined, number: string | undefined): SqlProblemKind {
  if (state === '42501') return 'permission'
  if (state === '25006') return 'read_only'
  if (state === '57014') return 'timeout'
  if (state !== undefined) return STATES[state.slice(0, 2)] ?? 'other'
  return number === '1062' || number === '1452' || number === '1406' ? 'values' : 'statement'
}

const STATES: Readonly<Record<string, SqlProblemKind>> = {
  '22': 'values',
  '23': 'values',
  '40': 'conflict',
  '42': 'statement',
  '53': 'busy',
}
