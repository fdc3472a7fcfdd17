import { loadPackage } from '../../../../../credentials/cloud/load-package.js'
import { isObject } from '../../../../../platform/json/is-object.js'
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
  Statement,
  TransactionOptions,
} from '../session.js'
import { networkProblem, SqlFailed, type SqlProblem, type SqlProblemKind } from '../sql-problem.js'

const PACKAGE = '@google-cloud/bigquery'
const PAGE_ROWS = 10_000
/** How long one request waits for the job. */
const POLL_MS = 10_000

interface Job {
  readonly id: string
  readonly location?: string
  readonly metadata: { readonly statistics?: { readonly query?: { readonly statementType?: string } } }
  cancel(): Promise<unknown>
}

interface Client {
  createJob(options: object): Promise<[Job, ...unknown[]]>
  request(
    options: { uri: string; qs: Readonly<Record<string, unknown>> },
    callback: (error: Error | null, page: Page) => void,
  ): void
}

interface Library {
  BigQuery: new (options: object) => Client
}

interface Field {
  readonly name: string
  readonly type: string
  readonly mode?: string
  readonly fields?: readonly Field[]
}

interface Cell {
  readonly v: unknown
}

interface Page {
  readonly jobComplete?: boolean
  readonly pageToken?: string
  readonly schema?: { readonly fields?: readonly Field[] }
  readonly rows?: readonly { readonly f: readonly Cell[] }[]
  readonly numDmlAffectedRows?: string
}

export const bigquery: Engine = {
  title: 'BigQuery',
  packages: [PACKAGE],
  placeholder: (at) => `@p${at}`,
  repeatsPlaceholders: true,
  hasTransactions: false,
  connect: connectTo,
  explain,
}

async function connectTo(fields: ConnectionFields, { user }: ConnectOptions): Promise<Session> {
  const { BigQuery } = await loadPackage<Library>(PACKAGE, user)
  const { private_key, client_email } = fields
  const client = new BigQuery({
    projectId: textOf(fields['project']),
    // Without a key the library finds the identity of this process.
    ...(typeof private_key === 'string' && { credentials: { private_key, client_email } }),
    userAgent: 'toolcrib',
  })
  const dataset = textOf(fields['dataset'])
  const defaultDataset = dataset === '' ? {} : { defaultDataset: { datasetId: dataset } }
  /** Statements that a dry run has accepted. */
  const known = new Set<string>()
  let job: Job | undefined
  let options: TransactionOptions = { isReadOnly: true, timeoutMs: POLL_MS }

  const start = (statement: Statement, more: object): Promise<[Job, ...unknown[]]> =>
    client.createJob({
      configuration: {
        query: {
          query: statement.text,
          useLegacySql: false,
          parameterMode: 'NAMED',
          queryParameters: statement.values.map(toQueryParameter),
          ...defaultDataset,
        },
        ...more,
      },
    })

  async function mustRead(statement: Statement): Promise<void> {
    if (known.has(statement.text)) return
    const [{ metadata }] = await start(statement, { dryRun: true })
    const type = metadata.statistics?.query?.statementType
    if (type !== 'SELECT')
      throw new SqlFailed({ kind: 'read_only', code: type, words: 'a dry run says that it is no SELECT' })
    known.add(statement.text)
  }

  return {
    async begin(given) {
      options = given
    },
    async query(statement) {
      if (options.isReadOnly) await mustRead(statement)
      ;[job] = await start(statement, { jobTimeoutMs: String(Math.max(1, Math.ceil(options.timeoutMs))) })
      return readJob(client, job)
    },
    async commit() {},
    async rollback() {},
    async cancel() {
      await job?.cancel()
    },
    isOpen: () => true,
    async close() {},
  }
}

async function readJob(client: Client, job: Job): Promise<Answer> {
  const load = (pageToken?: string): Promise<Page> =>
    new Promise((resolve, reject) =>
      client.request(
        {
          uri: `/queries/${job.id}`,
          qs: {
            location: job.location,
            maxResults: PAGE_ROWS,
            timeoutMs: POLL_MS,
            'formatOptions.useInt64Timestamp': true,
            ...(pageToken !== undefined && { pageToken }),
          },
        },
        (error, page) => (error ? reject(error) : resolve(page)),
      ),
    )
  let first = await load()
  while (first.jobComplete === false) first = await load()
  const fields = first.schema?.fields ?? []
  const { numDmlAffectedRows } = first

  async function* rows(): AsyncGenerator<readonly Row[], void, void> {
    for (let page = first; ; page = await load(page.pageToken)) {
      if (page.rows) yield page.rows.map(({ f }) => f.map(({ v }, at) => toValue(v, fields[at]!)))
      if (page.pageToken === undefined) return
    }
  }

  return {
    columns: fields.map(columnOf),
    rows: { [Symbol.asyncIterator]: rows },
    facts: () => ({
      queryId: job.id,
      ...(numDmlAffectedRows !== undefined && { affectedRows: Number(numDmlAffectedRows) }),
    }),
  }
}

/**
 * The type of a parameter comes from the schema of its field, because BigQuery does not compare a text with a number. An
 * array of plain values is an array of BigQuery (`IN UNNEST(:ids)`); other arrays and objects are JSON texts
 * (`PARSE_JSON(:filter)`).
 */
export function toQueryParameter({ value, schema }: Parameter, at: number): object {
  const name = `p${at + 1}`
  if (Array.isArray(value) && value.every((each) => each !== null && typeof each !== 'object')) {
    const items = isObject(schema) ? schema['items'] : undefined
    const type = value.length > 0 ? typeOf(value[0], items) : typeOf(null, items)
    return {
      name,
      parameterType: { type: 'ARRAY', arrayType: { type } },
      parameterValue: { arrayValues: value.map((each) => ({ value: String(each) })) },
    }
  }
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value
  return {
    name,
    parameterType: { type: typeOf(text, schema) },
    parameterValue: { value: text === null ? null : String(text) },
  }
}

function typeOf(value: unknown, schema: unknown): string {
  const { type, format } = isObject(schema) ? schema : {}
  const types: readonly unknown[] = Array.isArray(type) ? type : [type]
  if (typeof value === 'boolean' || (value === null && types.includes('boolean'))) return 'BOOL'
  if (types.includes('number') && typeof value !== 'string') return 'FLOAT64'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'INT64' : 'FLOAT64'
  if (value === null && types.includes('integer')) return 'INT64'
  return (value === null && typeof format === 'string' && FORMATS[format]) || 'STRING'
}

/** Texts become these types by themselves; only null does not. */
const FORMATS: Readonly<Record<string, string>> = { date: 'DATE', time: 'TIME', 'date-time': 'TIMESTAMP' }

const NUMBERS: ReadonlySet<string> = new Set([
  'INTEGER',
  'INT64',
  'NUMERIC',
  'BIGNUMERIC',
  'FLOAT',
  'FLOAT64',
])

const columnOf = ({ name, type, mode }: Field): Column => ({
  name,
  type: (mode === 'REPEATED' ? `array<${type}>` : type).toLowerCase(),
  ...(mode !== 'REPEATED' && NUMBERS.has(type) && { isNumber: true }),
})

export function toValue(value: unknown, field: Field): unknown {
  if (value === null || value === undefined) return null
  if (field.mode === 'REPEATED')
    return (value as Cell[]).map(({ v }) => toNested(v, { ...field, mode: 'NULLABLE' }))
  switch (field.type) {
    case 'RECORD':
    case 'STRUCT':
      return Object.fromEntries(
        (value as { f: Cell[] }).f.map(({ v }, at) => {
          const inner = field.fields![at]!
          return [inner.name, toNested(v, inner)]
        }),
      )
    case 'BOOLEAN':
    case 'BOOL':
      return value === true || value === 'true'
    case 'TIMESTAMP':
      return timeOf(String(value))
    case 'JSON':
      return JSON.parse(String(value)) as unknown
    default:
      return value
  }
}

/** Inside of a value there is no column that says what is a number. */
function toNested(value: unknown, field: Field): unknown {
  const plain = toValue(value, field)
  if (typeof plain !== 'string' || !NUMBERS.has(field.type)) return plain
  const number = Number(plain)
  return Number.isFinite(number) && (Number.isSafeInteger(number) || field.type.startsWith('FLOAT'))
    ? number
    : plain
}

/** Microseconds since 1970. */
function timeOf(micros: string): string {
  const whole = BigInt(micros)
  const rest = ((whole % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = new Date(Number((whole - rest) / 1000n)).toISOString().slice(0, 19)
  return rest === 0n ? `${seconds}Z` : `${seconds}.${String(rest).padStart(6, '0').replace(/0+$/, '')}Z`
}

/** By the reason of an error. */
const KINDS: Readonly<Record<string, SqlProblemKind>> = {
  accessDenied: 'permission',
  authError: 'login',
  backendError: 'busy',
  duplicate: 'values',
  internalError: 'other',
  invalid: 'values',
  invalidQuery: 'statement',
  jobBackendError: 'busy',
  notFound: 'statement',
  quotaExceeded: 'busy',
  rateLimitExceeded: 'busy',
  resourcesExceeded: 'other',
  stopped: 'canceled',
  timeout: 'timeout',
}

export function explain(error: unknown): SqlProblem {
  const { code, errors } = error as { code?: unknown; errors?: unknown }
  const [first] = Array.isArray(errors) ? (errors as Record<string, unknown>[]) : []
  const { reason, message } = first ?? {}
  if (typeof reason === 'string') {
    const words = typeof message === 'string' ? message : undefined
    const kind = code === 401 ? 'login' : (KINDS[reason] ?? 'other')
    return { kind, code: reason, words, facts: typeof code === 'number' ? { status: code } : undefined }
  }
  const known = networkProblem(error)
  if (known) return known
  if (code === 401) return { kind: 'login', code: '401' }
  const text = error instanceof Error ? error.message : ''
  if (/default credentials|Could not refresh access token|invalid_grant/i.test(text)) return { kind: 'login' }
  return { kind: 'other', ...(typeof code === 'number' && { code: String(code) }) }
}
