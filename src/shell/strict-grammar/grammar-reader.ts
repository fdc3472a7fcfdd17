import { truncateAfter } from '../../platform/text/truncate.js'
import { codeAt } from './code-at.js'
import type { HereDoc, ParsedScript } from 'unbash'
import type { ShellKind } from '../shell-kind.js'

/** A here-document whose body has not been read yet: it begins on the next line. */
export type OpenHereDoc = { -readonly [Field in keyof HereDoc]: HereDoc[Field] }

/** One pass over a text. A function that cannot continue sets `problem` and returns undefined. */
export interface GrammarReader {
  readonly text: string
  readonly shell: ShellKind
  at: number
  /** Why the text is not in the grammar; empty while it is. */
  problem: string
  /** How many substitutions are open. */
  depth: number
  /** How many commands inside of commands are open. */
  nesting: number
  /** Here-documents of the line that is being read. */
  pending: OpenHereDoc[]
  /** Reads the commands of a substitution, up to its closing bracket. Passed in: words hold scripts and scripts words. */
  readonly readScript: (reader: GrammarReader) => ParsedScript | undefined
}

/** A reader of a slice of another text. */
export function readerOf(text: string, { shell, depth, nesting, readScript }: GrammarReader): GrammarReader {
  return { text, shell, at: 0, problem: '', depth: depth + 1, nesting, pending: [], readScript }
}

export function refuse(reader: GrammarReader, problem: string): undefined {
  if (reader.problem === '') reader.problem = problem
  return undefined
}

const MAX_SHOWN = 40

/** The text from `from` to `last` inclusive, truncated for a reason. */
export function showText({ text }: GrammarReader, from: number, last: string): string {
  const found = text.indexOf(last, from)
  const end = found === -1 ? text.length : found + last.length
  return truncateAfter(text.slice(from, end), MAX_SHOWN)
}

export const TAB = 9
export const NEWLINE = 10
export const SPACE = 32
export const DOUBLE = 34
export const HASH = 35
export const DOLLAR = 36
export const AND = 38
export const SINGLE = 39
export const OPEN = 40
export const CLOSE = 41
export const SEMICOLON = 59
export const LESS = 60
export const GREATER = 62
export const BACKSLASH = 92
export const BACKTICK = 96
export const OPEN_BRACE = 123
export const PIPE = 124

/** Characters that end a word. The end of the text, which has no code, does too. */
const ends = new Uint8Array(128)
for (const code of [TAB, NEWLINE, SPACE, AND, OPEN, CLOSE, SEMICOLON, LESS, GREATER, PIPE]) ends[code] = 1

export function endsWord(code: number): boolean {
  return code !== code || (code < 128 && ends[code] === 1)
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

export function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95
}

/** Where a name that begins at `from` ends. */
export function endOfName(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = codeAt(text, at)
    if (!isNameStart(code) && !isDigit(code)) break
  }
  return at
}

export function skipBlanks(reader: GrammarReader): void {
  while (isBlank(codeAt(reader.text, reader.at))) reader.at += 1
}

/** The reserved words, by their first characters: most commands begin with another. */
const RESERVED = new Set('if then elif else fi while until for do done case esac { } [['.split(' '))
const reservedStarts = new Uint8Array(128)
for (const word of RESERVED) reservedStarts[codeAt(word, 0)] = 1
const MAX_RESERVED = 5

/** The reserved word at this position, without consuming it; empty if there is none. */
export function peekReserved({ text, at: from }: GrammarReader): string {
  const first = codeAt(text, from)
  if (first !== first || first > 127 || reservedStarts[first] === 0) return ''
  let at = from
  while (!endsWord(codeAt(text, at))) if (++at - from > MAX_RESERVED) return ''
  const word = text.slice(from, at)
  return RESERVED.has(word) ? word : ''
}

/** Words that only end or continue what another word began. */
const CLOSERS = new Set('then elif else fi do done esac }'.split(' '))

export function isCloser(word: string): boolean {
  return CLOSERS.has(word)
}

export function isOdd(reader: GrammarReader): undefined {
  return refuse(reader, 'Its commands are put together in a way that is not understood.')
}
