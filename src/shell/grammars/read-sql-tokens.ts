export interface SqlToken {
  /** `quoted` is in double quotes: a name to some databases, a text to others. */
  readonly kind: 'word' | 'number' | 'string' | 'quoted' | 'symbol'
  /** Words are in lower case. */
  readonly text: string
}

// A backslash, a dollar, a colon, a backtick, a comment: databases and their clients differ in what each means.
const space = /[ \t\r\n]+/y
const shapes: readonly (readonly [SqlToken['kind'], RegExp])[] = [
  ['word', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['number', /[0-9]+(?:\.[0-9]+)?(?![A-Za-z0-9_.])/y],
  ['string', /'(?:[^'\\]|'')*'/y],
  ['quoted', /"[^"\\]+"(?!")/y],
  ['symbol', /<>|!=|<=|>=|\|\||::|[(),.*+%/=<>-]/y],
]

/** The tokens of one statement, or undefined if some of it is unknown. It may end with one semicolon. */
export function readSqlTokens(text: string): readonly SqlToken[] | undefined {
  const statement = text.trim().replace(/;$/, '')
  // Also inside of quotes: they may end elsewhere for another database.
  if (/--|\/\*|#/.test(statement)) return undefined
  const tokens: SqlToken[] = []
  for (let at = 0; at < statement.length;) {
    space.lastIndex = at
    if (space.test(statement)) {
      at = space.lastIndex
      continue
    }
    const token = tokenAt(statement, at)
    if (token === undefined) return undefined
    at += token.text.length
    tokens.push(token.kind === 'word' ? { kind: 'word', text: token.text.toLowerCase() } : token)
  }
  return tokens
}

function tokenAt(statement: string, at: number): SqlToken | undefined {
  for (const [kind, shape] of shapes) {
    shape.lastIndex = at
    const text = shape.exec(statement)?.[0]
    if (text !== undefined) return { kind, text }
  }
  return undefined
}
