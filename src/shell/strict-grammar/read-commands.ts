import { codeAt } from './code-at.js'
import type {
  AndOr,
  CommandNode,
  CompoundCommand,
  LogicalOperator,
  ParsedScript,
  PipeOperator,
  PipelineNode,
  PipelinePrefix,
  Redirection,
  Statement,
} from 'unbash'
import {
  AND,
  CLOSE,
  HASH,
  NEWLINE,
  OPEN,
  PIPE,
  SEMICOLON,
  isBlank,
  isCloser,
  isOdd,
  peekReserved,
  refuse,
  skipBlanks,
  type GrammarReader,
} from './grammar-reader.js'
import { readCompound, readSubshell } from './read-compound.js'
import { isRedirect, readRedirect } from './read-redirect.js'
import { readSimple } from './read-simple.js'
import { skipLines } from './skip-lines.js'

const MAX_NESTING = 100
const BANG = 33
const NO_PREFIXES: readonly PipelinePrefix[] = []

/** All commands up to the end of the text, or to the bracket that closes a substitution. */
export function readScript(reader: GrammarReader): ParsedScript | undefined {
  const pos = reader.at
  if (reader.nesting >= MAX_NESTING) return refuse(reader, 'It is nested too deeply.')
  reader.nesting += 1
  const commands = readStatements(reader)
  reader.nesting -= 1
  if (commands === undefined) return undefined
  return { type: 'Script', pos, end: reader.at, shebang: undefined, commands }
}

/** Statements up to something that begins no statement: a closing word, a bracket, the end. */
function readStatements(reader: GrammarReader): Statement[] | undefined {
  const { text } = reader
  const statements: Statement[] = []
  for (;;) {
    if (!skipLines(reader)) return undefined
    const { at: pos } = reader
    const code = codeAt(text, pos)
    if (code !== code || code === CLOSE || isCloser(peekReserved(reader))) return statements
    if (code === SEMICOLON) return codeAt(text, pos + 1) === SEMICOLON ? statements : isOdd(reader)
    const command = readAndOr(reader)
    if (command === undefined) return undefined
    skipBlanks(reader)
    const next = codeAt(text, reader.at)
    const background = next === AND ? true : undefined
    statements.push({ type: 'Statement', pos, end: reader.at, command, background })
    if (next === AND) reader.at += 1
    else if (next === SEMICOLON && codeAt(text, reader.at + 1) !== SEMICOLON) reader.at += 1
    else if (next === next && next !== NEWLINE && next !== CLOSE && next !== SEMICOLON && next !== HASH)
      return isOdd(reader)
  }
}

function readAndOr(reader: GrammarReader): PipelineNode | AndOr | undefined {
  const { text, at: pos } = reader
  const first = readPipeline(reader)
  if (first === undefined) return undefined
  let commands: PipelineNode[] | undefined
  const operators: LogicalOperator[] = []
  for (;;) {
    skipBlanks(reader)
    const code = codeAt(text, reader.at)
    if ((code !== AND && code !== PIPE) || codeAt(text, reader.at + 1) !== code) break
    reader.at += 2
    if (!skipLines(reader)) return undefined
    const next = readPipeline(reader)
    if (next === undefined) return undefined
    operators.push(code === AND ? '&&' : '||')
    if (commands === undefined) commands = [first, next]
    else commands.push(next)
  }
  return commands === undefined ? first : { type: 'AndOr', pos, end: reader.at, commands, operators }
}

function readPipeline(reader: GrammarReader): PipelineNode | undefined {
  const { text, at: pos } = reader
  const prefixes = readPrefixes(reader)
  const first = readCommand(reader)
  if (first === undefined) return undefined
  let commands: CommandNode[] | undefined
  const operators: PipeOperator[] = []
  for (;;) {
    skipBlanks(reader)
    if (codeAt(text, reader.at) !== PIPE || codeAt(text, reader.at + 1) === PIPE) break
    const isBoth = codeAt(text, reader.at + 1) === AND
    if (isBoth && reader.shell !== 'bash') return refuse(reader, 'Not every shell knows |&.')
    reader.at += isBoth ? 2 : 1
    if (!skipLines(reader)) return undefined
    const next = readCommand(reader)
    if (next === undefined) return undefined
    operators.push(isBoth ? '|&' : '|')
    if (commands === undefined) commands = [first, next]
    else commands.push(next)
  }
  if (commands === undefined && prefixes.length === 0) return first
  return { type: 'Pipeline', pos, end: reader.at, prefixes, commands: commands ?? [first], operators }
}

/** `!` and, if it is a reserved word, `time`. */
function readPrefixes(reader: GrammarReader): readonly PipelinePrefix[] {
  const { text } = reader
  let prefixes: PipelinePrefix[] | undefined
  for (;;) {
    const { at: pos } = reader
    const code = codeAt(text, pos)
    if (code === BANG && isBlank(codeAt(text, pos + 1))) {
      reader.at += 1
      ;(prefixes ??= []).push({ type: 'Negation', pos, end: pos + 1 })
    } else if (code === 116 && reader.shell === 'bash' && /^time[ \t]/.test(text.slice(pos, pos + 5))) {
      reader.at += 4
      skipBlanks(reader)
      const posix = /^-p[ \t]/.test(text.slice(reader.at, reader.at + 3))
        ? { pos: reader.at, end: (reader.at += 2) }
        : undefined
      const end = reader.at
      ;(prefixes ??= []).push({ type: 'Time', pos, end, keywordEnd: pos + 4, posix, endOfOptions: undefined })
    } else return prefixes ?? NO_PREFIXES
    skipBlanks(reader)
  }
}

function readCommand(reader: GrammarReader): CommandNode | undefined {
  const isSubshell = codeAt(reader.text, reader.at) === OPEN
  const compound = isSubshell ? readSubshell(reader) : readCompound(reader, peekReserved(reader))
  if (compound === 'none') return readSimple(reader)
  return compound && withRedirects(reader, compound)
}

function withRedirects(reader: GrammarReader, command: CompoundCommand): CommandNode | undefined {
  let redirects: Redirection[] | undefined
  for (;;) {
    skipBlanks(reader)
    if (!isRedirect(reader)) break
    const redirect = readRedirect(reader)
    if (redirect === undefined) return undefined
    ;(redirects ??= []).push(redirect)
  }
  if (redirects === undefined) return command
  return { type: 'Redirected', pos: command.pos, end: reader.at, command, redirects }
}
