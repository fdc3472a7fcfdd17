import { unconfirmedCancel } from '../../../../catalog/unconfirmed-cancel.js'
import type { NativeFacts } from '../../../../catalog/native.js'
import { isCredentialProblem } from '../../../../credentials/credential-problem.js'
import type { StopSignal } from '../../../../platform/async/stop-signal.js'
import { withTimeLimit } from '../../../../platform/async/with-time-limit.js'
import { credentialFailure, failure } from '../../../http/to-failure.js'
import { MAX_CONNECTIONS, type Database, type Lease } from './open-database.js'
import type { Answer, Statement } from './session.js'
import { SqlFailed, type SqlProblem } from './sql-problem.js'
import { toSqlFailure } from './to-sql-failure.js'

/** One call that uses a database. */
export interface DatabaseCall {
  readonly database: Database
  readonly toolId: string
  readonly isReadOnly: boolean
  readonly timeoutMs: number
  readonly signal: StopSignal
  readonly native: NativeFacts
}

/** The transaction of a call. Exactly one of `finish`, `fail` and `abandon` ends it. */
export interface Transaction {
  /** Rejects with SqlFailed, and so do the rows. */
  query(statement: Statement): Promise<Answer>
  /** Commits an action, and ends the transaction of a retrieval. Rejects with a failure of the call. */
  finish(): Promise<void>
  /** Rolls back. Resolves to the failure of the call. */
  fail(error: unknown): Promise<unknown>
  /** Ends the connection together with what runs on it. */
  abandon(): Promise<void>
}

/** How much later than the server the call itself looks at the time. */
const GRACE_MS = 250
/** How long a server has to stop a statement, or to roll it back. */
const STOP_MS = 2_000

/** Rejects with a failure of the call. */
export async function beginTransaction(call: DatabaseCall): Promise<Transaction> {
  const lease = await begunLease(call)
  return new RunningTransaction(call, lease)
}

async function begunLease(call: DatabaseCall): Promise<Lease> {
  const { database, isReadOnly, timeoutMs, signal } = call
  for (let attempt = 1; ; attempt++) {
    const lease = await acquired(call)
    try {
      await lease.session.begin({ isReadOnly, timeoutMs })
      if (signal.aborted) throw signal.reason
      return lease
    } catch (error) {
      lease.release(false)
      if (signal.aborted) throw signal.reason
      const problem = explained(database, error)
      // The server has ended the connection while no call used it, and others may have ended with it.
      if (problem.kind === 'lost' && attempt <= MAX_CONNECTIONS) continue
      throw toSqlFailure(problem, { ...factsOf(call), wasSent: false })
    }
  }
}

async function acquired(call: DatabaseCall): Promise<Lease> {
  const { database, timeoutMs, signal, toolId, native } = call
  let lease: Lease | undefined
  try {
    lease = await database.acquire({ signal, waitMs: timeoutMs })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (isCredentialProblem(error)) throw credentialFailure(error)
    throw toSqlFailure(explained(database, error), { ...factsOf(call), wasSent: false })
  }
  if (lease) return lease
  throw failure(`All connections to the database of "${toolId}" are in use; try again later.`, {
    errorClass: 'rate_limited',
    code: 'toolcrib.too_many_at_once',
    nothingHappened: true,
    native,
  })
}

function explained({ engine }: Database, error: unknown): SqlProblem {
  return error instanceof SqlFailed ? error.problem : engine.explain(error)
}

const factsOf = ({
  toolId,
  database,
  isReadOnly,
  native,
}: DatabaseCall): Parameters<typeof toSqlFailure>[1] => ({
  toolId,
  title: database.engine.title,
  isReadOnly,
  wasSent: true,
  native,
})

class RunningTransaction implements Transaction {
  readonly #call: DatabaseCall
  readonly #lease: Lease
  readonly #timer: NodeJS.Timeout
  readonly #onAbort = { handleEvent: (): void => this.#stop('canceled') }
  #stopped: { readonly why: 'canceled' | 'timeout'; readonly done: Promise<void> } | undefined
  #isEnding = false

  constructor(call: DatabaseCall, lease: Lease) {
    this.#call = call
    this.#lease = lease
    this.#timer = setTimeout(() => this.#stop('timeout'), call.timeoutMs + GRACE_MS)
    call.signal.addEventListener('abort', this.#onAbort)
  }

  async query(statement: Statement): Promise<Answer> {
    const { database } = this.#call
    try {
      const answer = await this.#lease.session.query(statement)
      return { ...answer, rows: explainedRows(answer.rows, database) }
    } catch (error) {
      throw new SqlFailed(explained(database, error))
    }
  }

  async finish(): Promise<void> {
    const { isReadOnly, database } = this.#call
    const { session, release } = this.#lease
    // Until here it can still be undone.
    if (this.#stopped) throw await this.fail(undefined)
    this.#isEnding = true
    try {
      // The engines without read-only transactions undo here what a retrieval has written.
      await (isReadOnly ? session.rollback() : session.commit())
    } catch (error) {
      throw await this.fail(new SqlFailed(explained(database, error)))
    }
    this.#settle()
    release(true)
  }

  async fail(error: unknown): Promise<unknown> {
    const { isReadOnly, signal, database, timeoutMs } = this.#call
    this.#isEnding = true
    this.#settle()
    await this.#stopped?.done
    const isUndone = await this.#rollBack(error)
    this.#lease.release(isUndone)
    const problem = error instanceof SqlFailed ? error.problem : undefined
    const wasUndone = isUndone && database.engine.hasTransactions
    if (this.#stopped?.why === 'canceled') {
      const isConfirmed = isReadOnly || wasUndone || problem?.kind === 'canceled'
      return isConfirmed ? signal.reason : unconfirmedCancel(database.engine.title)
    }
    const facts = { ...factsOf(this.#call), wasSent: !wasUndone }
    if (this.#stopped) return toSqlFailure({ kind: 'timeout', code: `${timeoutMs} ms` }, facts)
    return problem ? toSqlFailure(problem, facts) : error
  }

  async abandon(): Promise<void> {
    this.#isEnding = true
    this.#settle()
    await withTimeLimit(
      this.#lease.session.cancel().catch(() => {}),
      STOP_MS,
    )
    this.#lease.release(false)
  }

  #stop(why: 'canceled' | 'timeout'): void {
    if (this.#stopped || this.#isEnding) return
    this.#stopped = { why, done: this.#cancel() }
  }

  /** A statement that does not stop loses its connection. */
  async #cancel(): Promise<void> {
    const { session } = this.#lease
    const isTold = await withTimeLimit(
      session.cancel().then(
        () => true,
        () => false,
      ),
      STOP_MS,
    )
    if (isTold !== true) return void session.close().catch(() => {})
    const timer = setTimeout(() => void session.close().catch(() => {}), STOP_MS)
    this.#settleLater = () => clearTimeout(timer)
  }

  #settleLater: (() => void) | undefined

  #settle(): void {
    clearTimeout(this.#timer)
    this.#settleLater?.()
    this.#call.signal.removeEventListener('abort', this.#onAbort)
  }

  /** Whether the server has confirmed it. */
  async #rollBack(error: unknown): Promise<boolean> {
    const { session } = this.#lease
    this.#settleLater?.()
    if (!session.isOpen() || (error instanceof SqlFailed && error.problem.kind === 'lost')) return false
    const rolledBack = session.rollback().then(
      () => true,
      () => false,
    )
    return (await withTimeLimit(rolledBack, STOP_MS)) === true
  }
}

async function* explainedRows(
  rows: Answer['rows'],
  database: Database,
): AsyncGenerator<readonly (readonly unknown[])[]> {
  try {
    yield* rows
  } catch (error) {
    throw new SqlFailed(explained(database, error))
  }
}
