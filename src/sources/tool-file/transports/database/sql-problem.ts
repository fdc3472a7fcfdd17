/** What went wrong, whatever the engine. */
export type SqlProblemKind =
  /** The server refused the user name, the password or the token. */
  | 'login'
  /** No connection could be made; nothing was sent. */
  | 'unreachable'
  /** The certificate of the server is not trusted, or the server has no TLS. */
  | 'tls'
  /** The connection ended while it was in use. */
  | 'lost'
  /** The server has no connection or resource left. */
  | 'busy'
  /** The role of the connection may not do this. */
  | 'permission'
  /** A statement of a retrieval tool writes. */
  | 'read_only'
  /** The statement itself is wrong: its syntax, a table or a column. */
  | 'statement'
  /** The values do not fit: a constraint, a type, a length. */
  | 'values'
  /** Another transaction was in the way; the same call may succeed later. */
  | 'conflict'
  | 'timeout'
  | 'canceled'
  | 'other'

export interface SqlProblem {
  readonly kind: SqlProblemKind
  /** The engine's own code: an SQLSTATE, a number, a reason. */
  readonly code?: string | undefined
  /** The engine's own words, without anything about the connection. Absent where they may hold more than that. */
  readonly words?: string | undefined
  /** More of the engine's own facts, such as the name of a constraint. */
  readonly facts?: Readonly<Record<string, string | number>> | undefined
}

const NETWORK_CODES: Readonly<Record<string, SqlProblemKind>> = {
  ECONNREFUSED: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOENT: 'unreachable',
  ECONNRESET: 'lost',
  EPIPE: 'lost',
  ETIMEDOUT: 'lost',
}

const CERTIFICATE = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|EPROTO$)/

/** An error of a socket; undefined for other errors. */
export function networkProblem(error: unknown): SqlProblem | undefined {
  const code = codeOf(error)
  if (code === undefined) return undefined
  if (CERTIFICATE.test(code)) return { kind: 'tls', code }
  const kind = NETWORK_CODES[code]
  return kind && { kind, code }
}

/** The code of an error, or of the error inside it. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: readonly unknown[] }
  if (
    typeof code === 'string' &&
    /^[A-Z][A-Z_]+$/.test(code) &&
    (NETWORK_CODES[code] || CERTIFICATE.test(code))
  )
    return code
  // With several addresses of a host there is one error for each.
  return codeOf(cause) ?? codeOf(errors?.[0])
}

/** An error of a statement, after its engine has explained it. */
export class SqlFailed extends Error {
  override readonly name = 'SqlFailed'
  readonly problem: SqlProblem
  /** The engine's own code, for code that handles it. */
  readonly code: string | undefined

  constructor(problem: SqlProblem) {
    super(problem.words ?? problem.kind)
    this.problem = problem
    this.code = problem.code
  }
}
