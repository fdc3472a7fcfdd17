import { codeAt } from './code-at.js'
import type { DoubleQuotedChild, DoubleQuotedPart, LiteralPart, Word, WordPart } from 'unbash'
import {
  BACKSLASH,
  BACKTICK,
  DOLLAR,
  DOUBLE,
  GREATER,
  HASH,
  LESS,
  NEWLINE,
  OPEN,
  SINGLE,
  endsWord,
  refuse,
  type GrammarReader,
} from './grammar-reader.js'
import { readBackticks, readExpansion, readProcess, type Surroundings } from './read-expansion.js'

const QUESTION = 63
const STAR = 42
const OPEN_BRACKET = 91
const OPEN_BRACE = 123

/** The role of a character in a word: plain, special, or its end. */
const PLAIN = 0
const SPECIAL = 1
const kinds = new Uint8Array(128)
for (let code = 0; code < kinds.length; code++) if (endsWord(code)) kinds[code] = 2
for (const code of [BACKSLASH, BACKTICK, DOLLAR, DOUBLE, SINGLE, QUESTION, STAR, OPEN_BRACKET, OPEN_BRACE])
  kinds[code] = SPECIAL

function kindOf(code: number): number {
  return code < 128 ? kinds[code]! : PLAIN
}

/** One word. The caller has checked that a word begins here. */
export function readWord(reader: GrammarReader): Word | undefined {
  if (codeAt(reader.text, reader.at) === HASH)
    return refuse(reader, 'A comment stands where a word is expected.')
  return readAnyWord(reader)
}

function readAnyWord(reader: GrammarReader): Word | undefined {
  const { text, at: pos } = reader
  let at = pos
  for (; at < text.length; at++) {
    const code = codeAt(text, at)
    const kind = kindOf(code)
    if (kind === PLAIN) continue
    if (kind === SPECIAL || at === pos) return readParts(reader, pos, at)
    break
  }
  reader.at = at
  if (at < text.length && !isEnded(reader, pos)) return undefined
  const plain = text.slice(pos, at)
  return { type: 'Word', text: plain, value: plain, pos, end: at, parts: undefined }
}

/** An assignment's value: a word, or nothing. */
export function readValue(reader: GrammarReader, from: number): Word | undefined {
  const { text, at } = reader
  if (!endsWord(codeAt(text, at))) return readAnyWord(reader)
  if (!isEnded(reader, from)) return undefined
  return { type: 'Word', text: '', value: '', pos: at, end: at, parts: undefined }
}

/** A bracket directly after a word makes it something else: a function, an array, a pattern, a process substitution. */
function isEnded(reader: GrammarReader, from: number): boolean {
  const { text, at } = reader
  const code = codeAt(text, at)
  const isOdd = code === OPEN || ((code === LESS || code === GREATER) && codeAt(text, at + 1) === OPEN)
  if (isOdd) refuse(reader, `What a bracket right behind ${text.slice(from, at)} means is not certain.`)
  return !isOdd
}

class WordOfParts implements Word {
  readonly type = 'Word'

  constructor(
    readonly text: string,
    readonly pos: number,
    readonly parts: readonly WordPart[],
  ) {}

  get end(): number {
    return this.pos + this.text.length
  }

  /** Without quotes; expansions as they are written. Rarely needed. */
  get value(): string {
    return this.parts.map(valueOfPart).join('')
  }
}

function valueOfPart(part: WordPart): string {
  if (part.type === 'DoubleQuoted') return part.parts.map(valueOfPart).join('')
  return 'value' in part ? part.value : part.text
}

/** A word during reading, part by part. */
interface Draft {
  readonly parts: WordPart[]
  /** Text that belongs to no part yet: its start, and its value. */
  from: number
  value: string
  hasExpansion: boolean
  hasQuotes: boolean
  hasBackslash: boolean
  brace: number
}

function readParts(reader: GrammarReader, pos: number, at: number): Word | undefined {
  const { text } = reader
  const draft: Draft = {
    parts: [],
    from: pos,
    value: text.slice(pos, at),
    hasExpansion: false,
    hasQuotes: false,
    hasBackslash: false,
    brace: -1,
  }
  reader.at = at
  while (reader.at < text.length) {
    const code = codeAt(text, reader.at)
    if (endsWord(code)) {
      if (reader.at > pos) break
      draft.hasExpansion = true
      if (!add(reader, draft, readProcess(reader))) return undefined
    } else if (!takePart(reader, draft, code)) return undefined
  }
  if (!isEnded(reader, pos)) return undefined
  const end = reader.at
  const written = text.slice(pos, end)
  if (draft.brace !== -1 && /,|\.\./.test(written)) return braceWord(reader, draft, pos)
  if (draft.parts.length === 0)
    return { type: 'Word', text: written, value: draft.value, pos, end, parts: undefined }
  flush(reader, draft, end)
  return new WordOfParts(written, pos, draft.parts)
}

/** Reads the part, or the plain character, at the reader's position. */
function takePart(reader: GrammarReader, draft: Draft, code: number): boolean {
  const { text, at } = reader
  switch (code) {
    case BACKSLASH:
      if (!isEscape(reader)) return false
      draft.hasBackslash = true
      draft.value += text[at + 1]
      reader.at += 2
      return true
    case SINGLE:
      draft.hasQuotes = true
      return add(reader, draft, readSingle(reader))
    case DOUBLE:
      draft.hasQuotes = true
      return add(reader, draft, readDouble(reader))
    case BACKTICK:
      draft.hasExpansion = true
      return add(reader, draft, readBackticks(reader, 'bare'))
    case DOLLAR: {
      const found = readExpansion(reader, 'bare')
      if (found === '$') draft.value += '$'
      draft.hasExpansion = true
      return found === '$' || add(reader, draft, found)
    }
    case STAR:
    case QUESTION:
      reader.at += 1
      return add(reader, draft, globPart(text, at, code === STAR ? 'star' : 'question'))
    case OPEN_BRACKET:
      return takeBracket(reader, draft)
    case OPEN_BRACE:
      if (text[at + 1] === '}') draft.value += text[reader.at++]
      else if (draft.brace === -1) draft.brace = at
      break
    default:
  }
  // All plain characters at once: adding them one by one would create a string for each.
  const { at: from } = reader
  let end = from + 1
  while (end < text.length && kindOf(codeAt(text, end)) === PLAIN) end++
  draft.value += text.slice(from, end)
  reader.at = end
  return true
}

/** A backslash before the end of a line joins two lines into words that a person does not see. */
function isEscape(reader: GrammarReader): boolean {
  const next = codeAt(reader.text, reader.at + 1)
  if (next === next && next !== NEWLINE) return true
  refuse(reader, 'A line ends in a backslash.')
  return false
}

/** Adds the text before a part, and the part. False if the part could not be read. */
function add(reader: GrammarReader, draft: Draft, part: WordPart | undefined): boolean {
  if (part === undefined) return false
  flush(reader, draft, part.pos)
  draft.parts.push(part)
  draft.from = reader.at
  return true
}

function flush({ text }: GrammarReader, draft: Draft, end: number): void {
  if (end > draft.from) {
    const literal: LiteralPart = {
      type: 'Literal',
      pos: draft.from,
      end,
      text: text.slice(draft.from, end),
      value: draft.value,
    }
    draft.parts.push(literal)
  }
  draft.value = ''
}

function globPart(source: string, pos: number, kind: 'star' | 'question'): WordPart {
  const text = source[pos]!
  return { type: 'Glob', kind, pos, end: pos + 1, text, value: text, parts: undefined }
}

function plainPart(source: string, pos: number, end: number) {
  const text = source.slice(pos, end)
  return { pos, end, text, value: text, parts: undefined }
}

/** `[a-z]` in file names. A single bracket is the command of that name. */
function takeBracket(reader: GrammarReader, draft: Draft): boolean {
  const { text, at } = reader
  const found = /\[[!^]?[\w.:-]+\]/y
  found.lastIndex = at
  const pattern = found.exec(text)?.[0]
  if (pattern !== undefined) {
    reader.at += pattern.length
    const inner = pattern.slice(1, -1)
    const parts = [{ type: 'Literal' as const, pos: at + 1, end: reader.at - 1, text: inner, value: inner }]
    return add(reader, draft, { type: 'Glob', kind: 'bracket', ...plainPart(text, at, reader.at), parts })
  }
  const isAlone = at === draft.from && draft.parts.length === 0 && endsWord(codeAt(text, at + 1))
  if (!isAlone) return refuse(reader, 'A bracket in a word has no closing bracket.') ?? false
  draft.value += '['
  reader.at += 1
  return true
}

/** Braces are expanded first, on the text: nothing else in such a word may have a special meaning. */
function braceWord(reader: GrammarReader, draft: Draft, pos: number): Word | undefined {
  const { text, at: end } = reader
  if (draft.hasExpansion || draft.hasBackslash)
    return refuse(reader, 'A word holds braces and an expansion, so that it is not certain what it becomes.')
  const written = text.slice(pos, end)
  if (draft.hasQuotes && !/^[\w ./:@%+=,~^*?{}'"-]*$/.test(written))
    return refuse(reader, 'A word holds braces and quotes, so that it is not certain what it becomes.')
  const start = draft.hasQuotes || draft.parts.length > 0 ? pos : draft.brace
  const parts: WordPart[] = []
  if (start > pos) parts.push({ type: 'Literal', ...plainPart(text, pos, start) })
  parts.push({ type: 'BraceExpansion', pos: start, end, text: text.slice(start, end), parts: undefined })
  return new WordOfParts(written, pos, parts)
}

function readSingle(reader: GrammarReader): WordPart | undefined {
  const { text, at: pos } = reader
  const close = text.indexOf("'", pos + 1)
  if (close === -1) return refuse(reader, 'A quote has no end.')
  const value = text.slice(pos + 1, close)
  if (!mayHoldLines(reader, value)) return undefined
  reader.at = close + 1
  return { type: 'SingleQuoted', pos, end: close + 1, text: text.slice(pos, close + 1), value }
}

/** A here-document begins after its line: shells differ in where that is if a quote spans lines. */
function mayHoldLines(reader: GrammarReader, value: string): boolean {
  if (reader.pending.length === 0 || !value.includes('\n')) return true
  refuse(reader, 'A here-document begins inside of a quote and ends outside of it.')
  return false
}

function readDouble(reader: GrammarReader): DoubleQuotedPart | undefined {
  const pos = reader.at
  reader.at += 1
  const parts = readQuotedText(reader, 'quoted')
  if (parts === undefined) return undefined
  if (codeAt(reader.text, reader.at) !== DOUBLE) return refuse(reader, 'A quote has no end.')
  reader.at += 1
  const text = reader.text.slice(pos, reader.at)
  return mayHoldLines(reader, text) ? { type: 'DoubleQuoted', pos, end: reader.at, text, parts } : undefined
}

function isSeenInQuotes(code: number): boolean {
  return code === DOUBLE || code === BACKSLASH || code === DOLLAR || code === BACKTICK
}

/** The text between double quotes, or in the body of a here-document, in which quotes are literal. */
export function readQuotedText(reader: GrammarReader, around: Surroundings): DoubleQuotedChild[] | undefined {
  const { text } = reader
  const parts: DoubleQuotedChild[] = []
  let from = reader.at
  let value = ''
  const flushText = (end: number): void => {
    if (end > from) parts.push({ type: 'Literal', pos: from, end, text: text.slice(from, end), value })
    value = ''
  }
  while (reader.at < text.length) {
    const { at } = reader
    const code = codeAt(text, at)
    if (code === DOUBLE && around === 'quoted') break
    if (code === BACKSLASH) {
      const next = codeAt(text, at + 1)
      const escapes =
        next === DOLLAR || next === BACKTICK || next === BACKSLASH || (next === DOUBLE && around === 'quoted')
      if (!isEscape(reader)) return undefined
      value += escapes ? text[at + 1] : `\\${text[at + 1]}`
      reader.at += 2
    } else if (code === DOLLAR || code === BACKTICK) {
      const part = code === DOLLAR ? readExpansion(reader, around) : readBackticks(reader, around)
      if (part === undefined) return undefined
      if (part === '$') value += '$'
      else if (part.type === 'AnsiCQuoted') return refuse(reader, 'A quote stands between quotes.')
      else {
        flushText(at)
        parts.push(part)
        from = reader.at
      }
    } else {
      let end = at + 1
      while (end < text.length && !isSeenInQuotes(codeAt(text, end))) end++
      value = value === '' ? text.slice(at, end) : value + text.slice(at, end)
      reader.at = end
    }
  }
  // Empty quotes still make a word.
  if (reader.at > from || (parts.length === 0 && around === 'quoted'))
    parts.push({ type: 'Literal', pos: from, end: reader.at, text: text.slice(from, reader.at), value })
  return parts
}
