import { networkProblem, type SqlProblem, type SqlProblemKind } from '../sql-problem.js'

/** By the number of the error. */
const KINDS: Readonly<Record<number, SqlProblemKind>> = {
  1044: 'login',
  1045: 'login',
  1049: 'login',
  1251: 'login',
  1524: 'login',
  1698: 'login',
  3118: 'login',
  4151: 'login',
  1040: 'busy',
  1203: 'busy',
  1226: 'busy',
  1142: 'permission',
  1143: 'permission',
  1227: 'permission',
  1370: 'permission',
  1792: 'read_only',
  1290: 'read_only',
  1205: 'conflict',
  1213: 'conflict',
  1020: 'conflict',
  1317: 'canceled',
  1969: 'timeout',
  3024: 'timeout',
  1053: 'lost',
  1077: 'lost',
  1159: 'lost',
  1927: 'lost',
  4031: 'lost',
  1054: 'statement',
  1064: 'statement',
  1146: 'statement',
  1210: 'statement',
  1305: 'statement',
  1048: 'values',
  1062: 'values',
  1264: 'values',
  1265: 'values',
  1292: 'values',
  1364: 'values',
  1366: 'values',
  1406: 'values',
  1451: 'values',
  1452: 'values',
  1690: 'values',
  3819: 'values',
  4025: 'values',
}

/** What an error of MySQL, MariaDB or their library means. */
export function explain(error: unknown): SqlProblem {
  const { errno, code, sqlState, sqlMessage, fatal } = error as Record<string, unknown>
  if (typeof sqlState === 'string' && typeof errno === 'number' && typeof sqlMessage === 'string') {
    const name = typeof code === 'string' ? code : undefined
    const facts = { sqlstate: sqlState, ...(name !== undefined && { name }) }
    return { kind: kindOf(errno, sqlState), code: String(errno), words: sqlMessage, facts }
  }
  const known = networkProblem(error)
  if (known) return known
  switch (code) {
    case 'HANDSHAKE_NO_SSL_SUPPORT':
    case 'HANDSHAKE_SSL_ERROR':
      return { kind: 'tls', code }
    case 'PROTOCOL_CONNECTION_LOST':
      return { kind: 'lost', code }
    default:
      return { kind: fatal === true ? 'lost' : 'other' }
  }
}

function kindOf(errno: number, sqlState: string): SqlProblemKind {
  const known = KINDS[errno]
  if (known) return known
  // As the standard has them.
  if (sqlState.startsWith('22') || sqlState.startsWith('23')) return 'values'
  return sqlState.startsWith('42') ? 'statement' : 'other'
}
