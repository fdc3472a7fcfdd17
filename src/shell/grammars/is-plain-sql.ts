import { readSqlTokens, type SqlToken } from './read-sql-tokens.js'
import { sqlKeywords, SqlQueryReader } from './sql-query-reader.js'

/** Whether a text is one statement that only asks: a query, its plan, or a question about what there is. */
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
 * Whether a text is one query, or asks for the plan of one. Read by a grammar that is a part of what all the common
 * databases read alike: a call can do anything, so a name in front of a bracket must be a function that is known, and
 * comments, escapes, variables and all else that one database takes for something else than the next are refused.
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
