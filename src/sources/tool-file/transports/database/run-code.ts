import { toolOutput, type ToolOutput } from '../../../../catalog/tool-output.js'
import { loadPackage, type PackageUser } from '../../../../credentials/cloud/load-package.js'
import { createSerialQueue } from '../../../../platform/async/create-serial-queue.js'
import type { DatabaseEngine } from '../../compiled.js'
import type { RegisteredCode } from '../transport.js'
import { toJsonValue } from './json-value.js'
import type { Statement } from './session.js'
import { beginTransaction, type DatabaseCall, type Transaction } from './transaction.js'

/** The engines for which Kysely can write SQL. */
export type OrmEngine = Extract<DatabaseEngine, 'postgresql' | 'mysql' | 'mssql'>

export const isOrmEngine = (engine: DatabaseEngine): engine is OrmEngine => Object.hasOwn(DIALECTS, engine)

/** What the code of a tool with `query_method: orm` gets beside its input. */
export interface OrmContext {
  /** A query builder of Kysely. All of its queries are in the transaction of the call. */
  readonly db: unknown
  /** Aborted when the call is. */
  readonly signal: AbortSignal
}

export interface CodeCall extends DatabaseCall {
  readonly engine: OrmEngine
  readonly code: RegisteredCode
  readonly input: Readonly<Record<string, unknown>>
  readonly user: PackageUser
  readonly abortSignal: AbortSignal
}

/** The names of the parts that Kysely has for each dialect. */
const DIALECTS = { postgresql: 'Postgres', mysql: 'Mysql', mssql: 'Mssql' } as const satisfies Record<
  OrmEngine,
  string
>

interface Kysely {
  destroy(): Promise<void>
}

type Part = new (...options: never[]) => object

type Library = { Kysely: new (options: object) => Kysely } & Readonly<Record<string, Part>>

interface CompiledQuery {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Runs the code of a tool in one transaction, which ends with it. */
export async function runCode(call: CodeCall): Promise<ToolOutput> {
  const library = await loadPackage<Library>('kysely', call.user)
  const transaction = await beginTransaction(call)
  const driver = createDriver(transaction)
  const db = createKysely(library, call.engine, driver)
  const context: OrmContext = { db, signal: call.abortSignal }
  let value: unknown
  try {
    value = await (call.code as (input: unknown, context: OrmContext) => unknown)(call.input, context)
    driver.end()
  } catch (error) {
    driver.end()
    throw await transaction.fail(error)
  }
  await transaction.finish()
  return toolOutput({ structured: value, native: call.native })
}

function createKysely(library: Library, engine: OrmEngine, driver: object): Kysely {
  const part = (name: 'Adapter' | 'QueryCompiler' | 'Introspector'): Part => library[DIALECTS[engine] + name]!
  return new library.Kysely({
    dialect: {
      createAdapter: () => new (part('Adapter'))(),
      createDriver: () => driver,
      createQueryCompiler: () => new (part('QueryCompiler'))(),
      createIntrospector: (db: never) => new (part('Introspector'))(db),
    },
  })
}

interface OneConnectionDriver {
  /** Queries after it fail: the connection belongs to another call then. */
  end(): void
  readonly [method: string]: unknown
}

/** A driver of Kysely with one connection, which is in a transaction. */
function createDriver(transaction: Transaction): OneConnectionDriver {
  let isEnded = false
  /** One after the other: there is one connection. */
  const queue = createSerialQueue()

  async function* rowsOf({ sql, parameters }: CompiledQuery): AsyncGenerator<Record<string, unknown>[]> {
    if (isEnded) throw new Error('The call has ended, and its database with it.')
    const statement: Statement = { text: sql, values: parameters.map((value) => ({ value: value ?? null })) }
    const answer = await transaction.query(statement)
    for await (const batch of answer.rows)
      yield batch.map((row) =>
        Object.fromEntries(
          answer.columns.map((column, at) => [column.name, toJsonValue(row[at], column, undefined)]),
        ),
      )
    const { affectedRows, insertId } = answer.facts()
    counts = {
      ...(affectedRows !== undefined && { numAffectedRows: BigInt(affectedRows) }),
      ...(insertId !== undefined && { insertId: BigInt(insertId) }),
    }
  }
  let counts: { numAffectedRows?: bigint; insertId?: bigint } = {}

  const connection = {
    executeQuery: (query: CompiledQuery) =>
      queue.run(async () => {
        counts = {}
        const rows: Record<string, unknown>[] = []
        for await (const batch of rowsOf(query)) rows.push(...batch)
        return { rows, ...counts }
      }),
    async *streamQuery(query: CompiledQuery) {
      for await (const rows of rowsOf(query)) yield { rows }
    },
  }
  const refuse = (): Promise<never> =>
    Promise.reject(
      new Error('The queries of a call are in one transaction already; use db without transaction().'),
    )
  return {
    async init() {},
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    async releaseConnection() {},
    async destroy() {},
    end: () => void (isEnded = true),
  }
}
