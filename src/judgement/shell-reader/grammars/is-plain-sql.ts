// Functions of the common databases that calculate and do nothing else.
const functions = new Set(
  `count sum min max avg coalesce nullif lower upper length char_length substr substring trim ltrim rtrim concat
    replace round floor ceil abs date year month day now version current_database database user cast if ifnull
    group_concat string_agg array_agg json_agg left right date_trunc extract to_char pg_size_pretty
    pg_total_relation_size pg_database_size pg_relation_size`.split(/\s+/),
)
// A bracket after one of these opens a group, not a call.
const words = new Set(
  `select from where and or not in on using as by having case when then else values distinct between like exists
    union all any some over limit`.split(' '),
)
const tokens = /\s+|'(?:[^'\\]|'')*'|"[^"\\]*"|[A-Za-z_][\w$]*|[0-9.]+|[<>=!]+|[(),.*+%/|-]/y

/**
 * Whether a text is one statement that only asks. A name in front of a bracket must be a function that is known: a call
 * can do anything. Comments, backslashes and what is not understood are refused, for clients read commands in them.
 */
export function isPlainSql(text: string): boolean {
  const statement = text.trim().replace(/;$/, '')
  if (!/^(?:select|show|explain\s+select|explain|describe|desc)\s/i.test(statement)) return false
  if (/^explain\s+(?!select\s)/i.test(statement)) return false
  if (
    /--|\/\*|\b(?:into|update|share|lock|insert|delete|outfile|dumpfile|procedure|execute|call)\b/i.test(
      statement,
    )
  )
    return false
  let before = ''
  let beforeThat = ''
  for (let at = 0; at < statement.length;) {
    tokens.lastIndex = at
    const token = tokens.exec(statement)?.[0]
    if (token === undefined) return false
    // Behind a dot, even a well-known name may be somebody's own.
    const isCall = token === '(' && /[\w"]$/.test(before) && !words.has(before)
    if (isCall && (!functions.has(before) || beforeThat === '.')) return false
    if (token.trim() !== '') {
      beforeThat = before
      before = token.toLowerCase()
    }
    at += token.length
  }
  return true
}
