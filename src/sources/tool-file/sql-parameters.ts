import type { DatabaseEngine } from './compiled.js'

export type SqlPart =
  | { readonly kind: 'text'; readonly text: string; readonly start: number }
  /** `:name`; `start` is the position of the colon. */
  | { readonly kind: 'parameter'; readonly name: string; readonly start: number; readonly end: number }

export interface SplitSql {
  /** In their order; the texts and parameters together are the whole statement. */
  readonly parts: readonly SqlPart[]
  /** Placeholders of the engine itself (`$1`, `?`), for which a tool has no value. */
  readonly positional: readonly { readonly text: string; readonly start: number }[]
  /** A quote or a comment without an end. */
  readonly unclosed?: { readonly what: 'quote' | 'comment'; readonly start: number } | undefined
  /** How many statements there are; `;` at the end begins none. */
  readonly statements: number
}

/** How an engine writes quotes and comments. */
interface Dialect {
  /** Quotes in which a backslash escapes the next character. */
  readonly escaped: string
  /** Other quotes, which are only doubled. */
  readonly plain: string
  readonly lineComment: RegExp
  readonly nestedComments: boolean
  readonly brackets?: boolean
  readonly dollars?: 'tagged' | 'bare'
  /** `'''…'''` and `"""…"""`. */
  readonly triple?: boolean
  /** `E'…'` has escapes. */
  readonly escapePrefix?: boolean
  /** `r'…'` has none. */
  readonly rawPrefix?: boolean
  readonly positional?: RegExp
}

const POSTGRESQL: Dialect = {
  escaped: '',
  plain: `'"`,
  lineComment: /--/y,
  nestedComments: true,
  dollars: 'tagged',
  escapePrefix: true,
  positional: /\$\d+/y,
}

const DIALECTS: Readonly<Record<DatabaseEngine, Dialect>> = {
  postgresql: POSTGRESQL,
  // Either PostgreSQL or MySQL; only the backtick of MySQL has no other meaning in PostgreSQL.
  'rds-data-api': { ...POSTGRESQL, plain: `'"\`` },
  mysql: {
    escaped: `'"`,
    plain: '`',
    // Without a space behind it, `--` subtracts a negative number.
    lineComment: /#|--(?=\s|$)/y,
    nestedComments: false,
    positional: /\?/y,
  },
  mssql: { escaped: '', plain: `'"`, lineComment: /--/y, nestedComments: true, brackets: true },
  bigquery: {
    escaped: `'"\``,
    plain: '',
    lineComment: /--|#/y,
    nestedComments: false,
    triple: true,
    rawPrefix: true,
    positional: /\?/y,
  },
  snowflake: {
    escaped: `'`,
    plain: '"',
    lineComment: /--|\/\//y,
    nestedComments: false,
    dollars: 'bare',
    positional: /\?/y,
  },
}

const PARAMETER = /:([\p{L}_][\p{L}\p{N}_]*)/uy
const WORD = /[\p{L}_][\p{L}\p{N}_$]*|\d[\p{L}\p{N}_.]*/uy
const DOLLAR_TAG = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy
const BARE_DOLLARS = /\$\$/y

/**
 * Finds the named parameters (`:name`) of a statement, outside quotes and comments. A colon directly behind a word, a
 * number, a bracket or a quote is no parameter: it is a slice (`a[1:n]`) or a path (`data:name`).
 */
export function splitSql(sql: string, engine: DatabaseEngine): SplitSql {
  const dialect = DIALECTS[engine]
  const parts: SqlPart[] = []
  const positional: { text: string; start: number }[] = []
  let unclosed: SplitSql['unclosed']
  let statements = 0
  let isBetween = true
  let textStart = 0
  /** Whether a colon at this position continues a value. */
  let behindValue = false
  let at = 0
  while (at < sql.length) {
    const skipped = skipQuiet(sql, at, dialect)
    if (skipped) {
      if (skipped.unclosed) unclosed = { what: skipped.what, start: at }
      behindValue = skipped.what === 'quote'
      if (skipped.what === 'quote' && isBetween) [isBetween, statements] = [false, statements + 1]
      at = skipped.end
      continue
    }
    const character = sql[at]!
    if (character === ';') isBetween = true
    else if (isBetween && character.trim() !== '') [isBetween, statements] = [false, statements + 1]
    const name = character === ':' && !behindValue ? matchAt(PARAMETER, sql, at) : undefined
    if (name !== undefined) {
      if (at > textStart) parts.push({ kind: 'text', text: sql.slice(textStart, at), start: textStart })
      const end = at + name.length
      parts.push({ kind: 'parameter', name: name.slice(1), start: at, end })
      textStart = at = end
      behindValue = true
      continue
    }
    const placeholder = dialect.positional && matchAt(dialect.positional, sql, at)
    if (placeholder !== undefined) positional.push({ text: placeholder, start: at })
    const taken = placeholder ?? matchAt(WORD, sql, at) ?? operatorAt(sql, at)
    behindValue = /[\p{L}\p{N}_)\]?]$/u.test(taken)
    at += taken.length
  }
  if (textStart < sql.length) parts.push({ kind: 'text', text: sql.slice(textStart), start: textStart })
  return { parts, positional, ...(unclosed && { unclosed }), statements }
}

/** `::` and `:=` are taken whole, so that the name behind `::` is no parameter. */
function operatorAt(sql: string, at: number): string {
  if (sql[at] !== ':') return sql[at]!
  const run = matchAt(/:+=?/y, sql, at)!
  return run.length === 1 ? run : run + (matchAt(WORD, sql, at + run.length) ?? '')
}

interface Quiet {
  readonly what: 'quote' | 'comment'
  readonly end: number
  readonly unclosed: boolean
}

/** A quote or a comment that begins here. */
function skipQuiet(sql: string, at: number, dialect: Dialect): Quiet | undefined {
  if (matchAt(dialect.lineComment, sql, at) !== undefined) {
    const line = sql.slice(at).search(/[\r\n]/)
    return { what: 'comment', end: line < 0 ? sql.length : at + line, unclosed: false }
  }
  if (sql.startsWith('/*', at)) return skipComment(sql, at, dialect.nestedComments)
  const tag = dialect.dollars && matchAt(dialect.dollars === 'tagged' ? DOLLAR_TAG : BARE_DOLLARS, sql, at)
  if (tag !== undefined) return upTo(sql, tag, at + tag.length)
  return skipQuote(sql, at, dialect)
}

function skipQuote(sql: string, at: number, dialect: Dialect): Quiet | undefined {
  const prefix = matchAt(/[A-Za-z]{1,2}(?=['"])/y, sql, at) ?? ''
  const isRaw = dialect.rawPrefix === true && /^(?:r|br|rb)$/i.test(prefix)
  const isEscape = dialect.escapePrefix === true && /^e$/i.test(prefix)
  const start = isRaw || isEscape ? at + prefix.length : at
  const quote = sql[start]!
  if (dialect.brackets && quote === '[') return doubled(sql, start + 1, { close: ']', escapes: false })
  const escapes = dialect.escaped.includes(quote) || isEscape
  if (!escapes && !dialect.plain.includes(quote)) return undefined
  if (dialect.triple && sql.startsWith(quote.repeat(3), start) && quote !== '`')
    return triple(sql, start + 3, { close: quote.repeat(3), escapes: !isRaw })
  return doubled(sql, start + 1, { close: quote, escapes: escapes && !isRaw })
}

interface Close {
  readonly close: string
  readonly escapes: boolean
}

function doubled(sql: string, from: number, { close, escapes }: Close): Quiet {
  for (let at = from; at < sql.length; at++) {
    if (escapes && sql[at] === '\\') at++
    else if (sql[at] === close) {
      if (sql[at + 1] !== close) return { what: 'quote', end: at + 1, unclosed: false }
      at++
    }
  }
  return { what: 'quote', end: sql.length, unclosed: true }
}

function triple(sql: string, from: number, { close, escapes }: Close): Quiet {
  for (let at = from; at < sql.length; at++) {
    if (escapes && sql[at] === '\\') at++
    else if (sql.startsWith(close, at)) return { what: 'quote', end: at + 3, unclosed: false }
  }
  return { what: 'quote', end: sql.length, unclosed: true }
}

function upTo(sql: string, close: string, from: number): Quiet {
  const end = sql.indexOf(close, from)
  return end < 0
    ? { what: 'quote', end: sql.length, unclosed: true }
    : { what: 'quote', end: end + close.length, unclosed: false }
}

function skipComment(sql: string, from: number, isNested: boolean): Quiet {
  let depth = 1
  for (let at = from + 2; at < sql.length; at++) {
    if (sql.startsWith('*/', at)) {
      depth--
      at++
      if (depth === 0) return { what: 'comment', end: at + 1, unclosed: false }
    } else if (isNested && sql.startsWith('/*', at)) {
      depth++
      at++
    }
  }
  return { what: 'comment', end: sql.length, unclosed: true }
}

function matchAt(sticky: RegExp, sql: string, at: number): string | undefined {
  sticky.lastIndex = at
  return sticky.exec(sql)?.[0]
}
