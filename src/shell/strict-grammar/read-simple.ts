import { codeAt } from './code-at.js'
import type { Assignment, Command, Redirection, Word } from 'unbash'
import {
  GREATER,
  HASH,
  LESS,
  OPEN,
  endOfName,
  endsWord,
  isNameStart,
  isOdd,
  peekReserved,
  refuse,
  showText,
  skipBlanks,
  type GrammarReader,
} from './grammar-reader.js'
import { isRedirect, readRedirect } from './read-redirect.js'
import { readValue, readWord } from './read-word.js'

/** Words that begin a command outside this grammar. */
const REFUSED = new Set(['function', 'select', 'coproc'])
/** Commands whose words the shell parses for assignments. */
const DECLARES = new Set('export declare typeset local readonly alias'.split(' '))

/** A command of words, with assignments before them and redirects among them. */
class SimpleCommand implements Command {
  readonly type = 'Command'
  name: Word | undefined = undefined
  readonly prefix: (Assignment | Redirection)[] = []
  readonly suffix: (Word | Assignment | Redirection)[] = []
  end = 0

  constructor(readonly pos: number) {}

  get args(): readonly (Word | Assignment)[] {
    return this.suffix.filter((each) => each.type === 'Word' || each.type === 'Assignment')
  }

  get redirects(): readonly Redirection[] {
    const all: readonly (Assignment | Word | Redirection)[] = [...this.prefix, ...this.suffix]
    return all.filter((each) => each.type !== 'Word' && each.type !== 'Assignment')
  }
}

export function readSimple(reader: GrammarReader): Command | undefined {
  const { text } = reader
  const command = new SimpleCommand(reader.at)
  for (;;) {
    skipBlanks(reader)
    const { at } = reader
    const code = codeAt(text, at)
    if (isRedirect(reader)) {
      const redirect = readRedirect(reader)
      if (redirect === undefined) return undefined
      if (command.name === undefined) command.prefix.push(redirect)
      else command.suffix.push(redirect)
      command.end = reader.at
      continue
    }
    const isProcess = (code === LESS || code === GREATER) && codeAt(text, at + 1) === OPEN
    if (code === OPEN) return isOdd(reader)
    if ((endsWord(code) && !isProcess) || code === HASH) break
    if (!takeWord(reader, command)) return undefined
    command.end = reader.at
  }
  return command.name === undefined && command.prefix.length === 0 ? isOdd(reader) : command
}

function takeWord(reader: GrammarReader, command: SimpleCommand): boolean {
  if (command.name !== undefined) {
    const declared = DECLARES.has(command.name.text) ? readAssignment(reader) : undefined
    if (declared !== undefined) command.suffix.push(declared)
    if (declared !== undefined || reader.problem !== '') return declared !== undefined
    const word = readWord(reader)
    if (word !== undefined) command.suffix.push(word)
    return word !== undefined && !isNumbered(reader, word)
  }
  const assignment = readAssignment(reader)
  if (assignment !== undefined) command.prefix.push(assignment)
  if (assignment !== undefined || reader.problem !== '') return assignment !== undefined
  if (command.prefix.length > 0 && isReserved(reader)) {
    isOdd(reader)
    return false
  }
  command.name = readWord(reader)
  if (command.name === undefined || isNumbered(reader, command.name)) return false
  if (!REFUSED.has(command.name.text)) return true
  refuse(
    reader,
    `${showText(reader, command.pos, '\n').trimEnd()} can change what the commands around it do.`,
  )
  return false
}

/**
 * A number of several digits, or a name in braces, directly before a redirect: not every shell takes it for a
 * descriptor.
 */
function isNumbered(reader: GrammarReader, { text }: Word): boolean {
  const next = codeAt(reader.text, reader.at)
  if ((next !== LESS && next !== GREATER) || !/^[0-9]+$|\}$/.test(text)) return false
  refuse(reader, `${text} before a redirect may be a number, a variable that is set, or a word.`)
  return true
}

/** After an assignment a reserved word is a plain one, but a person would read it as reserved. */
function isReserved(reader: GrammarReader): boolean {
  return peekReserved(reader) !== '' || /^(?:!|time)[ \t]/.test(reader.text.slice(reader.at, reader.at + 5))
}

/** `name=value`. An assignment to a member of an array is not in this grammar: its subscript is evaluated. */
function readAssignment(reader: GrammarReader): Assignment | undefined {
  const { text, at: pos } = reader
  if (!isNameStart(codeAt(text, pos))) return undefined
  const nameEnd = endOfName(text, pos)
  if (text[nameEnd] === '[') return refuse(reader, 'It sets a member of an array.')
  const append = text[nameEnd] === '+' && text[nameEnd + 1] === '=' ? true : undefined
  if (append && reader.shell !== 'bash') return refuse(reader, 'Not every shell knows +=.')
  const equals = append ? nameEnd + 1 : nameEnd
  if (text[equals] !== '=') return undefined
  reader.at = equals + 1
  const value = readValue(reader, pos)
  if (value === undefined) return undefined
  const end = reader.at
  return {
    type: 'Assignment',
    pos,
    end,
    text: text.slice(pos, end),
    name: text.slice(pos, nameEnd),
    value,
    append,
    index: undefined,
  }
}
