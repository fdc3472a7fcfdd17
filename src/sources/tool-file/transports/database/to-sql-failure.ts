import type { NativeFacts } from '../../../../catalog/native.js'
import { cleanText } from '../../../../platform/text/clean-text.js'
import { failure, type CallFailure } from '../../../http/to-failure.js'
import type { SqlProblem, SqlProblemKind } from './sql-problem.js'

export interface FailedStatement {
  /** The name of the tool in sentences. */
  readonly toolId: string
  /** The engine in sentences. */
  readonly title: string
  readonly isReadOnly: boolean
  /** Whether the statement was sent: what it did may remain where the connection was lost. */
  readonly wasSent: boolean
  readonly native: NativeFacts
}

const MAX_WORDS = 1_000

/** A problem of a database as the failure of a call. */
export function toSqlFailure(problem: SqlProblem, call: FailedStatement): Error {
  const { toolId, title, isReadOnly, wasSent } = call
  const { code, kind } = problem
  const why = code === undefined ? '' : ` (${code})`
  const words = wordsOf(problem)
  const native = nativeOf(problem, call)
  const answered = { code: 'toolcrib.database_error', nothingHappened: true, native } as const
  const said = (what: string, more: Omit<CallFailure, 'code'> & Partial<CallFailure>): Error =>
    failure(`${what}${why}${words}`, { ...answered, ...more })
  switch (kind) {
    case 'login':
      return said(`${title} refused the login of "${toolId}"; check its credential`, {
        errorClass: 'credential_missing',
        code: 'toolcrib.credential_missing',
      })
    case 'unreachable':
      return said(`The database of "${toolId}" cannot be reached`, {
        errorClass: 'dependency_unavailable',
        code: 'toolcrib.server_unavailable',
      })
    case 'tls':
      return said(
        `The database of "${toolId}" has no TLS or a certificate that is not trusted; set "ssl_ca" or "sslmode" in its credential`,
        { errorClass: 'setup_required', code: 'toolcrib.setup_required' },
      )
    case 'lost':
      return lost(call, why, native)
    case 'busy':
      return said(`${title} has too much to do`, { errorClass: 'rate_limited' })
    case 'permission':
      return said(`${title} does not allow this statement to the role of "${toolId}"`, {
        errorClass: 'execution_failed',
        needsOtherArguments: true,
      })
    case 'read_only':
      return said(`The SQL of "${toolId}" writes, and a retrieval tool only reads; make it an action`, {
        errorClass: 'setup_required',
      })
    case 'statement':
      return said(`The SQL of "${toolId}" is wrong for its database`, { errorClass: 'setup_required' })
    case 'values':
      return said(`${title} refused the values of this call`, {
        errorClass: 'execution_failed',
        needsOtherArguments: true,
      })
    case 'conflict':
      return said(`${title} gave precedence to another transaction; try again`, {
        errorClass: 'execution_failed',
      })
    case 'timeout':
    case 'canceled':
      return failure(`${title} did not finish the statement of "${toolId}" in time${why}.`, {
        errorClass: 'timeout',
        code: 'toolcrib.timeout',
        nothingHappened: isReadOnly || !wasSent,
        native,
      })
    case 'other':
      return said(`${title} answered with an error`, {
        errorClass: 'execution_failed',
        nothingHappened: isReadOnly || !wasSent,
      })
  }
}

function lost({ toolId, isReadOnly, wasSent }: FailedStatement, why: string, native: NativeFacts): Error {
  const mayHaveRun = wasSent && !isReadOnly
  const what = mayHaveRun ? 'the statement may have run' : 'nothing was changed'
  return failure(`The connection to the database of "${toolId}" was lost${why}; ${what}.`, {
    errorClass: mayHaveRun ? 'execution_failed' : 'dependency_unavailable',
    code: 'toolcrib.server_lost',
    nothingHappened: !mayHaveRun,
    native,
  })
}

function wordsOf({ kind, words }: SqlProblem): string {
  // Before a login the words may be about the connection.
  if (words === undefined || BEFORE_LOGIN.has(kind)) return '.'
  const cleaned = cleanText(words, MAX_WORDS).trim()
  return cleaned === '' ? '.' : `: ${cleaned}${/[.!?]$/.test(cleaned) ? '' : '.'}`
}

const BEFORE_LOGIN: ReadonlySet<SqlProblemKind> = new Set(['login', 'unreachable', 'tls'])

function nativeOf({ code, facts, kind, words }: SqlProblem, { native }: FailedStatement): NativeFacts {
  const error = {
    ...(code !== undefined && { code }),
    kind,
    ...(words !== undefined && !BEFORE_LOGIN.has(kind) && { message: cleanText(words, MAX_WORDS) }),
    ...facts,
  }
  return { ...native, error }
}
