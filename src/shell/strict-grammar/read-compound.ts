import { codeAt } from './code-at.js'
import type {
  Case,
  CaseItem,
  CompoundCommand,
  CompoundList,
  Elif,
  For,
  If,
  Subshell,
  While,
  Word,
} from 'unbash'
import {
  AND,
  CLOSE,
  HASH,
  NEWLINE,
  OPEN,
  PIPE,
  SEMICOLON,
  endOfName,
  endsWord,
  isNameStart,
  isOdd,
  peekReserved,
  refuse,
  skipBlanks,
  type GrammarReader,
} from './grammar-reader.js'
import { readTest } from './read-test.js'
import { readWord } from './read-word.js'
import { skipLines } from './skip-lines.js'

/** A command that a reserved word begins. */
export function readCompound(reader: GrammarReader, word: string): CompoundCommand | 'none' | undefined {
  const pos = reader.at
  switch (word) {
    case 'if':
      return readIf(reader)
    case 'while':
    case 'until':
      return readWhile(reader, word)
    case 'for':
      return readFor(reader)
    case 'case':
      return readCase(reader)
    case '{': {
      reader.at += 1
      const body = readList(reader)
      if (body === undefined || !takes(reader, '}')) return undefined
      return { type: 'BraceGroup', pos, end: reader.at, body }
    }
    case '[[':
      if (reader.shell !== 'bash') return refuse(reader, 'Not every shell knows [[.')
      reader.at += 2
      return readTest(reader, pos)
    default:
      return word === '' ? 'none' : isOdd(reader)
  }
}

/** `( … )`. Two brackets in a row would be arithmetic. */
export function readSubshell(reader: GrammarReader): Subshell | undefined {
  const { text, at: pos } = reader
  if (codeAt(text, pos + 1) === OPEN) return refuse(reader, 'Arithmetic may set variables and run commands.')
  reader.at += 1
  const body = readList(reader)
  if (body === undefined || codeAt(text, reader.at) !== CLOSE) return isOdd(reader)
  reader.at += 1
  return { type: 'Subshell', pos, end: reader.at, body }
}

/** Consumes a required word. */
function takes(reader: GrammarReader, word: string): boolean {
  skipBlanks(reader)
  if (peekReserved(reader) !== word) {
    isOdd(reader)
    return false
  }
  reader.at += word.length
  return true
}

/** Commands up to the word or bracket that closes them; at least one. */
function readList(reader: GrammarReader): CompoundList | undefined {
  const list = readBody(reader)
  return list?.commands.length === 0 ? isOdd(reader) : list
}

function readBody(reader: GrammarReader): CompoundList | undefined {
  const script = reader.readScript(reader)
  return script && { type: 'CompoundList', pos: script.pos, end: script.end, commands: script.commands }
}

function readIf(reader: GrammarReader): If | undefined {
  const pos = reader.at
  const first = readBranch(reader, 'if')
  if (first === undefined) return undefined
  const elif: Elif[] = []
  while (peekReserved(reader) === 'elif') {
    const branch = readBranch(reader, 'elif')
    if (branch === undefined) return undefined
    elif.push(branch)
  }
  const hasElse = peekReserved(reader) === 'else'
  if (hasElse) reader.at += 'else'.length
  const otherwise = hasElse ? readList(reader) : undefined
  if ((hasElse && otherwise === undefined) || !takes(reader, 'fi')) return undefined
  return { ...first, type: 'If', pos, end: reader.at, elif, else: otherwise }
}

/** The condition and the body; the first branch has the same shape as the others. */
function readBranch(reader: GrammarReader, word: 'if' | 'elif'): Elif | undefined {
  const pos = reader.at
  reader.at += word.length
  const clause = readList(reader)
  if (clause === undefined || !takes(reader, 'then')) return undefined
  const list = readList(reader)
  // oxlint-disable-next-line unicorn/no-thenable -- the name that trees of this shape have for it
  return list && { type: 'Elif', pos, end: reader.at, clause, then: list }
}

function readWhile(reader: GrammarReader, kind: While['kind']): While | undefined {
  const pos = reader.at
  reader.at += kind.length
  const clause = readList(reader)
  const body = clause && readLoopBody(reader)
  return body && { type: 'While', pos, end: reader.at, kind, clause: clause!, body }
}

function readLoopBody(reader: GrammarReader): CompoundList | undefined {
  if (!takes(reader, 'do')) return undefined
  const body = readList(reader)
  return body !== undefined && takes(reader, 'done') ? body : undefined
}

function readFor(reader: GrammarReader): For | undefined {
  const { text, at: pos } = reader
  reader.at += 3
  skipBlanks(reader)
  const start = reader.at
  const end = isNameStart(codeAt(text, start)) ? endOfName(text, start) : start
  if (codeAt(text, start) === OPEN) return refuse(reader, 'Arithmetic may set variables and run commands.')
  if (end === start || !endsWord(codeAt(text, end)) || codeAt(text, end) === OPEN) return isOdd(reader)
  const written = text.slice(start, end)
  const name: Word = { type: 'Word', text: written, value: written, pos: start, end, parts: undefined }
  reader.at = end
  skipBlanks(reader)
  const hasWords = isIn(reader)
  if (hasWords) reader.at += 2
  const wordlist = hasWords ? readWordsOfLine(reader) : undefined
  if (hasWords && wordlist === undefined) return undefined
  if (codeAt(text, reader.at) === SEMICOLON) reader.at += 1
  const body = skipLines(reader) ? readLoopBody(reader) : undefined
  return body && { type: 'For', pos, end: reader.at, name, wordlist, body }
}

function isIn({ text, at }: GrammarReader): boolean {
  return text.startsWith('in', at) && endsWord(codeAt(text, at + 2))
}

function readWordsOfLine(reader: GrammarReader): Word[] | undefined {
  const words: Word[] = []
  for (;;) {
    skipBlanks(reader)
    const code = codeAt(reader.text, reader.at)
    if (code === SEMICOLON || code === NEWLINE) return words
    if (endsWord(code) || code === HASH) return isOdd(reader)
    const word = readWord(reader)
    if (word === undefined) return undefined
    words.push(word)
  }
}

function readCase(reader: GrammarReader): Case | undefined {
  const pos = reader.at
  // Some shells take the bracket after a pattern for the end of the substitution.
  if (reader.depth > 0) return refuse(reader, 'A case stands in a substitution.')
  reader.at += 4
  skipBlanks(reader)
  if (endsWord(codeAt(reader.text, reader.at))) return isOdd(reader)
  const word = readWord(reader)
  if (word === undefined) return undefined
  skipBlanks(reader)
  if (!isIn(reader)) return isOdd(reader)
  reader.at += 2
  const items: CaseItem[] = []
  for (;;) {
    if (!skipLines(reader)) return undefined
    if (peekReserved(reader) === 'esac') break
    const item = readCaseItem(reader)
    if (item === undefined) return undefined
    items.push(item)
    if (item.terminator === undefined) break
  }
  return takes(reader, 'esac') ? { type: 'Case', pos, end: reader.at, word, items } : undefined
}

function readCaseItem(reader: GrammarReader): CaseItem | undefined {
  const { text, at: pos } = reader
  if (codeAt(text, pos) === OPEN) reader.at += 1
  const pattern: Word[] = []
  for (;;) {
    skipBlanks(reader)
    if (endsWord(codeAt(text, reader.at)) || codeAt(text, reader.at) === HASH) return isOdd(reader)
    const word = readWord(reader)
    if (word === undefined) return undefined
    pattern.push(word)
    skipBlanks(reader)
    if (codeAt(text, reader.at) !== PIPE) break
    reader.at += 1
  }
  if (codeAt(text, reader.at) !== CLOSE) return isOdd(reader)
  reader.at += 1
  const body = readBody(reader)
  if (body === undefined) return undefined
  const isEnded = codeAt(text, reader.at) === SEMICOLON
  if (isEnded) reader.at += 2
  // `;&` and `;;&` continue with the next.
  if (codeAt(text, reader.at) === AND) return isOdd(reader)
  return { type: 'CaseItem', pos, end: reader.at, pattern, body, terminator: isEnded ? ';;' : undefined }
}
