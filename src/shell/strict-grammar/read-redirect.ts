import { codeAt } from './code-at.js'
import type { Redirect, RedirectOperator, Redirection } from 'unbash'
import {
  AND,
  DOUBLE,
  GREATER,
  LESS,
  SINGLE,
  endsWord,
  isBlank,
  isDigit,
  readerOf,
  refuse,
  type GrammarReader,
  type OpenHereDoc,
} from './grammar-reader.js'
import { readQuotedText, readWord } from './read-word.js'

const OPERATOR = /&>>?|<<<|<<-?|<[&>]?|>[>&|]?/y

/** Whether a redirect begins here. `<(` begins a word. */
export function isRedirect({ text, at }: GrammarReader): boolean {
  const code = codeAt(text, at)
  const next = codeAt(text, at + 1)
  if (code === LESS || code === GREATER) return next !== 40
  if (code === AND) return next === GREATER
  return isDigit(code) && (next === LESS || next === GREATER) && codeAt(text, at + 2) !== 40
}

export function readRedirect(reader: GrammarReader): Redirection | undefined {
  const { text, at: pos } = reader
  const hasNumber = isDigit(codeAt(text, pos))
  const descriptor = hasNumber
    ? { type: 'FileDescriptor' as const, pos, end: pos + 1, value: Number(text[pos]) }
    : undefined
  OPERATOR.lastIndex = hasNumber ? pos + 1 : pos
  const operator = OPERATOR.exec(text)?.[0]
  if (operator === undefined) return refuse(reader, 'A redirect is written in a way that is not understood.')
  reader.at = OPERATOR.lastIndex
  if (reader.shell !== 'bash' && (operator.startsWith('&') || operator === '<<<'))
    return refuse(reader, `Not every shell knows ${operator}.`)
  while (isBlank(codeAt(text, reader.at))) reader.at += 1
  if (operator === '<<' || operator === '<<-') return openHereDoc(reader, { operator, descriptor, pos })
  if (endsWord(codeAt(text, reader.at)) && !isProcess(reader))
    return refuse(reader, 'A redirect names no file.')
  const target = readWord(reader)
  if (target === undefined) return undefined
  const end = reader.at
  if (operator === '<<<') return { type: 'HereString', pos, end, operator, descriptor, target }
  const redirect: Redirect = {
    type: 'Redirect',
    pos,
    end,
    operator: operator as RedirectOperator,
    descriptor,
    target,
  }
  return redirect
}

function isProcess({ text, at }: GrammarReader): boolean {
  return /[<>]/.test(text[at] ?? '') && text[at + 1] === '('
}

type Opening = Pick<OpenHereDoc, 'operator' | 'descriptor' | 'pos'>

/** Its delimiter is a plain word, or one in a pair of quotes. */
function openHereDoc(reader: GrammarReader, { operator, descriptor, pos }: Opening): OpenHereDoc | undefined {
  const { text, at } = reader
  const found = /'\w+'|"\w+"|\w+/y
  found.lastIndex = at
  const written = found.exec(text)?.[0]
  if (written === undefined || !endsWord(codeAt(text, at + written.length)))
    return refuse(reader, 'The end mark of a here-document is written in a way that is not understood.')
  const first = codeAt(written, 0)
  const quoted = first === SINGLE || first === DOUBLE
  reader.at = at + written.length
  const end = reader.at
  const value = quoted ? written.slice(1, -1) : written
  const document: OpenHereDoc = {
    type: 'HereDoc',
    pos,
    end,
    operator,
    descriptor,
    delimiter: { type: 'HereDocDelimiter', pos: at, end, text: written, value, quoted },
    body: { type: 'HereDocBody', pos: end, end, text: '', parts: undefined },
    closing: undefined,
  }
  reader.pending.push(document)
  return document
}

/** Consumes the end of a line, and the here-documents after it. False if one is not in the grammar. */
export function takeNewline(reader: GrammarReader): boolean {
  reader.at += 1
  const { pending } = reader
  if (pending.length === 0) return true
  reader.pending = []
  for (const document of pending) if (!readBody(reader, document)) return false
  return true
}

function readBody(reader: GrammarReader, document: OpenHereDoc): boolean {
  const { text, at: pos } = reader
  const { value, quoted } = document.delimiter!
  for (let line = pos; line < text.length;) {
    const newline = text.indexOf('\n', line)
    const end = newline === -1 ? text.length : newline
    const written = text.slice(line, end)
    const bare = written.replace(/^\t+/, '')
    if ((document.operator === '<<-' ? bare : written) === value) {
      const body = text.slice(pos, line)
      const parts = quoted ? undefined : readBodyParts(reader, body)
      if (!quoted && parts === undefined) return false
      document.body = { type: 'HereDocBody', pos, end: line, text: body, parts }
      document.closing = { pos: line, end }
      reader.at = newline === -1 ? end : end + 1
      return true
    }
    // In a substitution bash also ends it at a line that only begins with the delimiter, and takes the rest of the line
    // for code.
    if (reader.depth > 0 && bare.startsWith(value)) {
      refuse(reader, 'A here-document in a substitution has a line that begins like its end.')
      return false
    }
    line = end + 1
  }
  refuse(reader, 'A here-document has no end.')
  return false
}

/** The lines are cut out first, as shells do; only then is their content parsed. */
function readBodyParts(reader: GrammarReader, body: string): ReturnType<typeof readQuotedText> {
  const inner = readerOf(body, reader)
  return readQuotedText(inner, 'body') ?? refuse(reader, inner.problem)
}
