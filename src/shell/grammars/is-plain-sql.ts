import { readSqlTokens, type SqlToken } from './read-sql-tokens.js'
import { sqlKeywords, SqlQueryReader } from './sql-query-reader.js'

/** Whether a text is one read-only statement: a query, its plan, or a listing of what exists. */
export function isPlainSql(text: string): boolean {
  if (isPlainQuery(text)) return true
  const tokens = readSqlTokens(text)
  const first = tokens?.[0]?.text
  if (tokens === undefined || tokens.length < 2) return false
  const rest = tokens.slice(1)
  if (first === 'describe' || first === 'desc') return isDottedName(rest)
  if (first !== 'show') return false
  return rest.every(({ kind, text: word }) =>
    kind === 'symbol' ? word === '.' || word === '=' : word !== 'into',
  )
}

/**
 * Whether a text is one query, or asks for the plan of one. The grammar is the part that all common databases parse
 * alike: a call can do anything, so a name before a bracket must be a known function, and comments, escapes, variables
 * and everything else that databases parse differently are refused.
 */
export function isPlainQuery(text: string): boolean {
  const tokens = readSqlTokens(text)
  if (tokens === undefined) return false
  const reader = new SqlQueryReader(tokens)
  reader.takes('explain')
  return reader.query() && reader.isAtEnd()
}

function isDottedName(tokens: readonly SqlToken[]): boolean {
  return tokens.every(({ kind, text }, at) =>
    at % 2 === 0 ? (kind === 'word' && !sqlKeywords.has(text)) || kind === 'quoted' : text === '.',
  )
}
