import type { JsonSchema } from '../../../../contract/json-schema.js'
import type { OptionalPackage, PackageUser } from '../../../../credentials/cloud/load-package.js'
import type { SqlProblem } from './sql-problem.js'

/** A database engine: everything that differs between them. */
export interface Engine {
  /** Its name in sentences. */
  readonly title: string
  /** Installed by those who use the engine. */
  readonly packages: readonly OptionalPackage[]
  /** How a parameter is written in the text of a statement; the first is 1. */
  placeholder(at: number): string
  /** Whether a field that stands twice in a statement is one parameter. */
  readonly repeatsPlaceholders: boolean
  /** Whether a statement that failed or was rolled back has left nothing. */
  readonly hasTransactions: boolean
  /** Opens a connection. Nothing is shared between connections but what the library shares itself. */
  connect(fields: ConnectionFields, options: ConnectOptions): Promise<Session>
  /** What an error of the library means. */
  explain(error: unknown): SqlProblem
}

/** AML's fields of a connection, from a secret or from the credentials of a tool file. */
export type ConnectionFields = Readonly<Record<string, unknown>>

export interface ConnectOptions {
  readonly user: PackageUser
  readonly timeoutMs: number
}

/** One connection. One call uses it at a time. */
export interface Session {
  /** Begins a transaction, where the engine has them, with a time limit for its statements on the server. */
  begin(options: TransactionOptions): Promise<void>
  /** Runs one statement. Resolves once its columns are known. */
  query(statement: Statement): Promise<Answer>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Stops on the server what the session runs; its query then fails. */
  cancel(): Promise<void>
  /** Whether it can be used for another call. */
  isOpen(): boolean
  close(): Promise<void>
}

export interface TransactionOptions {
  readonly isReadOnly: boolean
  readonly timeoutMs: number
}

export interface Statement {
  readonly text: string
  readonly values: readonly Parameter[]
}

/** A value that is bound. It is JSON, and never a part of the text. */
export interface Parameter {
  readonly value: unknown
  /** The schema of the field, for engines that do not find the type of a parameter by where it stands. */
  readonly schema?: JsonSchema | undefined
}

/** Dates and bytes are no JSON: only the code of a tool binds them. */
export const isOfCode = (value: object): boolean => value instanceof Date || value instanceof Uint8Array

export interface Answer {
  /** None where the statement returns no rows. */
  readonly columns: readonly Column[]
  /** In batches, as they arrive. The server waits while nobody reads, where the engine can do that. */
  readonly rows: AsyncIterable<readonly Row[]>
  /** Known once the rows are read. */
  facts(): AnswerFacts
}

export interface AnswerFacts {
  /** How many rows were written. */
  readonly affectedRows?: number | undefined
  /** The id that the database gave to the written row. */
  readonly insertId?: number | string | undefined
  /** The id of the query in the engine's own logs. */
  readonly queryId?: string | undefined
}

export interface Column {
  readonly name: string
  /** The engine's own name of the type. */
  readonly type: string
  /** Numbers that may be too long for a JSON number arrive as texts. */
  readonly isNumber?: boolean | undefined
}

/** In the order of the columns. */
export type Row = readonly unknown[]

export const NO_ROWS: AsyncIterable<readonly Row[]> = {
  // oxlint-disable-next-line no-empty-function
  async *[Symbol.asyncIterator]() {},
}
