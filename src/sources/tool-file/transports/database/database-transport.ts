import type { ExecuteContext } from '../../../../catalog/execute-context.js'
import type { NativeFacts } from '../../../../catalog/native.js'
import type { SetupProblem } from '../../../../catalog/tool-draft.js'
import type { ToolOutput } from '../../../../catalog/tool-output.js'
import { regionOfArn } from '../../../../credentials/cloud/aws-options.js'
import { packagesMissing, type PackageUser } from '../../../../credentials/cloud/load-package.js'
import { canonicalJson } from '../../../../platform/json/canonical-json.js'
import { failure } from '../../../http/to-failure.js'
import type { DatabaseTransport } from '../../compiled.js'
import { AML } from '../../native.js'
import type { OpenedTransport, ToolOn, Transport, TransportEnvironment } from '../transport.js'
import { openDatabase, type Database } from './open-database.js'
import { isOrmEngine, runCode, type OrmEngine } from './run-code.js'
import { TIMEOUT_MS } from '../time-limit.js'
import { DEFAULT_LIMITS, runSql, type DatabaseLimits } from './run-sql.js'
import { text } from './server-address.js'
import type { DatabaseCall } from './transaction.js'
import { writeStatement } from './write-statement.js'

/** Tools that query a database. Tools with the same credentials share their connections. */
export function databaseTransport(
  environment: TransportEnvironment,
  limits: DatabaseLimits = DEFAULT_LIMITS,
): Transport<'database'> {
  const databases = new Map<string, Database>()

  function databaseOf(transport: DatabaseTransport): Database {
    const { engine, credentials } = transport
    const key = canonicalJson({ engine, credentials })
    const known = databases.get(key) ?? openDatabase(transport, environment)
    databases.set(key, known)
    return known
  }

  return {
    type: 'database',
    open: (tool) => openTool(tool, { environment, limits, database: databaseOf(tool.transport) }),
    async close() {
      await Promise.all([...databases.values()].map((database) => database.close()))
      databases.clear()
    },
  }
}

interface OpenOptions {
  readonly environment: TransportEnvironment
  readonly limits: DatabaseLimits
  readonly database: Database
}

type DatabaseTool = ToolOn<'database'>

function openTool(tool: DatabaseTool, options: OpenOptions): OpenedTransport {
  const { database } = options
  const native: NativeFacts = { source: AML }
  const callOf = (context: ExecuteContext): DatabaseCall => ({
    database,
    toolId: tool.toolId,
    isReadOnly: tool.type === 'retrieval',
    timeoutMs: tool.transport.timeout_ms ?? TIMEOUT_MS,
    signal: context.stopSignal,
    native,
  })
  const { problem, call } =
    tool.transport.query_method === 'orm' ? codeCalls(tool, options, callOf) : sqlCalls(tool, options, callOf)
  const missing = (): SetupProblem | undefined => problem?.() ?? database.missing()
  return {
    execution: 'native_app',
    hosts: hostsOf(tool.transport),
    missing,
    async call(input, context) {
      const found = missing()
      if (found) throw setupFailure(found)
      return call(input, context)
    },
  }
}

interface Calls {
  readonly problem?: () => SetupProblem | undefined
  call(input: Readonly<Record<string, unknown>>, context: ExecuteContext): Promise<ToolOutput>
}

type CallOf = (context: ExecuteContext) => DatabaseCall

function sqlCalls(tool: DatabaseTool, { limits, database }: OpenOptions, callOf: CallOf): Calls {
  const { toolId, output, input: schema, sql } = tool
  const written =
    sql === undefined
      ? ({ ok: false, problem: 'it does not exist' } as const)
      : writeStatement(sql, { engine: tool.transport.engine, placeholders: database.engine, input: schema })
  if (!written.ok) {
    const problem = notSetUp(`tools/${toolId}.sql cannot be used: ${written.problem}.`)
    return { problem: () => problem, call: () => Promise.reject(setupFailure(problem)) }
  }
  return {
    call: (input, context) => runSql({ ...callOf(context), statement: written.bind(input), output, limits }),
  }
}

function codeCalls({ toolId, transport }: DatabaseTool, { environment }: OpenOptions, callOf: CallOf): Calls {
  const { engine } = transport
  if (!isOrmEngine(engine)) {
    const problem = notSetUp(`"${toolId}" cannot use query_method orm: it is not available for ${engine}.`)
    return { problem: () => problem, call: () => Promise.reject(setupFailure(problem)) }
  }
  const user: PackageUser = { entry: environment.entry, name: engine, part: 'database' }
  return {
    problem: () => packagesMissing(user, ['kysely']),
    call: (input, context) =>
      callCode({ toolId, engine, user, environment, input }, callOf(context), context),
  }
}

interface CodeOptions {
  readonly toolId: string
  readonly engine: OrmEngine
  readonly user: PackageUser
  readonly environment: TransportEnvironment
  readonly input: Readonly<Record<string, unknown>>
}

async function callCode(
  { toolId, engine, user, environment, input }: CodeOptions,
  call: DatabaseCall,
  { signal: abortSignal }: ExecuteContext,
): Promise<ToolOutput> {
  const code = await environment.codeFor(toolId)
  if (!code)
    throw setupFailure(
      notSetUp(
        `"${toolId}" has query_method orm and no code; export a function under its id from the code of "${environment.entry}".`,
      ),
    )
  return runCode({ ...call, engine, user, code, input, abortSignal })
}

const notSetUp = (message: string): SetupProblem => ({ message, code: 'toolcrib.setup_required' })

function setupFailure({ message, code = 'toolcrib.setup_required' }: SetupProblem): Error {
  const errorClass = code === 'toolcrib.credential_missing' ? 'credential_missing' : 'setup_required'
  return failure(message, { errorClass, code, nothingHappened: true })
}

/** The host of a connection that a secret holds is unknown before the secret is read. */
function hostsOf({ engine, credentials: { connection = {} } }: DatabaseTransport): readonly string[] {
  if (engine === 'bigquery') return ['bigquery.googleapis.com']
  const region = regionOfArn(text(connection['cluster_arn']))
  if (engine === 'rds-data-api') return region === undefined ? [] : [`rds-data.${region}.amazonaws.com`]
  const host = text(connection['host'])
  return host === '' ? [] : [host]
}
