import { codeAt } from './code-at.js'
import type {
  ArithmeticExpansionPart,
  CommandExpansionPart,
  ProcessSubstitutionPart,
  SimpleExpansionPart,
  WordPart,
} from 'unbash'
import { isCalculation } from '../proof/is-plain-arithmetic.js'
import {
  BACKSLASH,
  CLOSE,
  DOUBLE,
  OPEN,
  OPEN_BRACE,
  SINGLE,
  endOfName,
  endsWord,
  isDigit,
  isNameStart,
  readerOf,
  refuse,
  showText,
  type GrammarReader,
} from './grammar-reader.js'
import { readParameter } from './read-parameter.js'

/** Where an expansion is. In a here-document's body quotes are plain characters. */
export type Surroundings = 'bare' | 'quoted' | 'body'

/** The expansion that begins with the dollar sign at `at`; a plain text if the sign is literal. */
export type Expansion =
  | Extract<WordPart, { type: 'SimpleExpansion' | 'ParameterExpansion' | 'CommandExpansion' }>
  | ArithmeticExpansionPart
  | AnsiText
  | '$'

interface AnsiText {
  readonly type: 'AnsiCQuoted'
  readonly pos: number
  readonly end: number
  readonly text: string
  readonly value: string
}

const MAX_DEPTH = 50
const OPEN_BRACKET = 91

export function readExpansion(reader: GrammarReader, around: Surroundings): Expansion | undefined {
  const { text, at } = reader
  const next = codeAt(text, at + 1)
  if (isNameStart(next)) return simple(reader, endOfName(text, at + 1))
  if (isDigit(next) || isSpecialParameter(next)) return simple(reader, at + 2)
  switch (next) {
    case OPEN:
      return codeAt(text, at + 2) === OPEN ? readArithmetic(reader) : readSubstitution(reader)
    case OPEN_BRACE:
      return readParameter(reader)
    case SINGLE:
      return around === 'bare' ? readAnsi(reader) : dollar(reader)
    case DOUBLE:
      return around === 'bare'
        ? refuse(reader, 'A text in $"…" is translated when it runs, so that it is not known.')
        : dollar(reader)
    case OPEN_BRACKET:
      return refuse(reader, `The arithmetic ${showText(reader, at, ']')} may set variables and run commands.`)
    default:
      return meansItself(next)
        ? dollar(reader)
        : refuse(reader, 'A dollar sign stands where its meaning is not clear.')
  }
}

function dollar(reader: GrammarReader): '$' {
  reader.at += 1
  return '$'
}

function simple(reader: GrammarReader, end: number): SimpleExpansionPart {
  const pos = reader.at
  reader.at = end
  return { type: 'SimpleExpansion', pos, end, text: reader.text.slice(pos, end) }
}

const SPECIAL = new Set([...'@*#?$!-'].map((char) => codeAt(char, 0)))

function isSpecialParameter(code: number): boolean {
  return SPECIAL.has(code)
}

// After these every shell takes the dollar sign literally.
const PLAIN_BEHIND = new Set([...'/.,:=%+]'].map((char) => codeAt(char, 0)))

function meansItself(next: number): boolean {
  return endsWord(next) || PLAIN_BEHIND.has(next)
}

/** `$((…))` that calculates with numbers and variables. The values of the variables are checked elsewhere. */
function readArithmetic(reader: GrammarReader): ArithmeticExpansionPart | undefined {
  const { text, at } = reader
  const end = endOfArithmetic(text, at + 3)
  const found = end === -1 ? '' : text.slice(at, end + 2)
  if (!isCalculation(found))
    return refuse(reader, `The arithmetic ${showText(reader, at, '))')} may set variables and run commands.`)
  reader.at = end + 2
  return { type: 'ArithmeticExpansion', pos: at, end: end + 2, text: found, expression: undefined }
}

/** The position of the two closing brackets: brackets inside come in pairs. */
function endOfArithmetic(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const code = codeAt(text, at)
    if (code === OPEN) depth++
    else if (code === CLOSE && depth > 0) depth--
    else if (code === CLOSE) return codeAt(text, at + 1) === CLOSE ? at : -1
  }
  return -1
}

/** `$(…)`, or `<(…)`: two characters, commands, and a bracket. */
function readSubstitution(reader: GrammarReader): CommandExpansionPart | undefined {
  const pos = reader.at
  const script = readInner(reader)
  if (script === undefined) return undefined
  const text = reader.text.slice(pos, reader.at)
  return { type: 'CommandExpansion', pos, end: reader.at, text, script }
}

export function readProcess(reader: GrammarReader): ProcessSubstitutionPart | undefined {
  const pos = reader.at
  if (reader.shell !== 'bash') return refuse(reader, 'Not every shell knows process substitution.')
  if (reader.text[pos] !== '<')
    return refuse(reader, `${showText(reader, pos, ')')} hands what is written to it to a command.`)
  const script = readInner(reader)
  if (script === undefined) return undefined
  const text = reader.text.slice(pos, reader.at)
  return { type: 'ProcessSubstitution', pos, end: reader.at, text, operator: '<', script }
}

function readInner(reader: GrammarReader): ReturnType<GrammarReader['readScript']> {
  if (reader.depth >= MAX_DEPTH) return refuse(reader, 'It is nested too deeply.')
  const { pending } = reader
  const start = reader.at
  reader.at += 2
  reader.depth += 1
  reader.pending = []
  const script = reader.readScript(reader)
  if (script === undefined) return undefined
  if (codeAt(reader.text, reader.at) !== CLOSE) return refuse(reader, 'A substitution has no end.')
  reader.at += 1
  // Shells differ in where such a here-document begins.
  const isSplit =
    reader.pending.length > 0 || (pending.length > 0 && reader.text.slice(start, reader.at).includes('\n'))
  if (isSplit)
    return refuse(reader, 'A here-document begins inside of a substitution and ends outside of it.')
  reader.depth -= 1
  reader.pending = pending
  return script
}

/** `` `…` `` without anything that a shell would unquote before it parses the commands. */
export function readBackticks(reader: GrammarReader, around: Surroundings): CommandExpansionPart | undefined {
  const { text, at: pos } = reader
  const close = text.indexOf('`', pos + 1)
  if (close === -1) return refuse(reader, 'A backtick has no closing backtick.')
  for (let at = pos + 1; at < close; at++) {
    const code = codeAt(text, at)
    const isQuote = code === SINGLE || code === DOUBLE
    if (code === BACKSLASH || code === 10 || (isQuote && around !== 'bare'))
      return refuse(
        reader,
        'Between backticks stand quotes, backslashes or lines, which mean something else there.',
      )
  }
  if (reader.depth >= MAX_DEPTH) return refuse(reader, 'It is nested too deeply.')
  const inner = readerOf(text.slice(pos + 1, close), reader)
  const script = inner.readScript(inner)
  if (script === undefined || inner.at < inner.text.length || inner.pending.length > 0)
    return refuse(reader, inner.problem || 'What stands between backticks is no complete command.')
  reader.at = close + 1
  return { type: 'CommandExpansion', pos, end: close + 1, text: text.slice(pos, close + 1), script }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\', "'": "'", '"': '"' }

/** `$'…'` with only the few escapes that have an unambiguous meaning. */
function readAnsi(reader: GrammarReader): AnsiText | undefined {
  const { text, at: pos } = reader
  if (reader.shell !== 'bash') return refuse(reader, "Not every shell takes $'…' for a quote.")
  let value = ''
  for (let at = pos + 2; at < text.length; at++) {
    const code = codeAt(text, at)
    if (code === SINGLE) {
      reader.at = at + 1
      return { type: 'AnsiCQuoted', pos, end: at + 1, text: text.slice(pos, at + 1), value }
    }
    if (code !== BACKSLASH) {
      value += text[at]
      continue
    }
    at += 1
    const meant = ESCAPES[text[at] ?? '']
    if (meant === undefined) return refuse(reader, "A text in $'…' has escapes that are not understood.")
    value += meant
  }
  return refuse(reader, 'A quote has no end.')
}
