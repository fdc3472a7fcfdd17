import { codeAt } from './code-at.js'
import type { TestCommand, TestExpression, Word } from 'unbash'
import {
  AND,
  CLOSE,
  OPEN,
  PIPE,
  endsWord,
  isBlank,
  refuse,
  skipBlanks,
  type GrammarReader,
} from './grammar-reader.js'
import { readWord } from './read-word.js'

const MAX_NESTING = 50
const COMPARISONS = new Set('= == != =~ < > -eq -ne -lt -le -gt -ge -nt -ot -ef'.split(' '))

/** `[[ … ]]` on one line; the reader is after the opening brackets. */
export function readTest(reader: GrammarReader, pos: number): TestCommand | undefined {
  const expression = readEither(reader)
  if (expression === undefined) return undefined
  skipBlanks(reader)
  if (!isAt(reader, ']]') || !endsWord(codeAt(reader.text, reader.at + 2))) return odd(reader)
  reader.at += 2
  return { type: 'TestCommand', pos, end: reader.at, expression }
}

function odd(reader: GrammarReader): undefined {
  return refuse(reader, 'A test in [[ ]] is written in a way that is not understood.')
}

function isAt({ text, at }: GrammarReader, sign: string): boolean {
  return text.startsWith(sign, at)
}

function readEither(reader: GrammarReader): TestExpression | undefined {
  return readJoined(reader, { operator: '||', code: PIPE, read: readAll })
}

function readAll(reader: GrammarReader): TestExpression | undefined {
  return readJoined(reader, { operator: '&&', code: AND, read: readOne })
}

interface Joining {
  readonly operator: '&&' | '||'
  readonly code: number
  readonly read: (reader: GrammarReader) => TestExpression | undefined
}

function readJoined(reader: GrammarReader, { operator, code, read }: Joining): TestExpression | undefined {
  const first = read(reader)
  if (first === undefined) return undefined
  const operands = [first]
  for (;;) {
    skipBlanks(reader)
    if (codeAt(reader.text, reader.at) !== code || !isAt(reader, operator)) break
    reader.at += 2
    const next = read(reader)
    if (next === undefined) return undefined
    operands.push(next)
  }
  if (operands.length === 1) return first
  return { type: 'TestLogical', pos: first.pos, end: reader.at, operator, operands }
}

function readOne(reader: GrammarReader): TestExpression | undefined {
  skipBlanks(reader)
  const { text, at: pos } = reader
  if (codeAt(text, pos) === OPEN) {
    reader.at += 1
    if (++reader.nesting > MAX_NESTING) return odd(reader)
    const expression = readEither(reader)
    reader.nesting -= 1
    if (expression === undefined) return undefined
    skipBlanks(reader)
    if (codeAt(text, reader.at) !== CLOSE) return odd(reader)
    reader.at += 1
    return { type: 'TestGroup', pos, end: reader.at, expression }
  }
  if (text[pos] === '!' && isBlank(codeAt(text, pos + 1))) {
    reader.at += 1
    if (++reader.nesting > MAX_NESTING) return odd(reader)
    const operand = readOne(reader)
    reader.nesting -= 1
    const negations = [{ type: 'Negation' as const, pos, end: pos + 1 }]
    return operand && { type: 'TestNot', pos, end: reader.at, negations, operand }
  }
  const first = readOperand(reader)
  return first && readComparison(reader, first)
}

function readComparison(reader: GrammarReader, first: Word): TestExpression | undefined {
  const { pos } = first
  skipBlanks(reader)
  if (/^-[a-zA-Z]$/.test(first.text)) {
    const operand = readOperand(reader)
    return operand && { type: 'TestUnary', pos, end: reader.at, operator: first.text, operand }
  }
  const operator = /[<>]|[=!-][=~a-z]*/y
  operator.lastIndex = reader.at
  const found = operator.exec(reader.text)?.[0]
  if (found === undefined) return { type: 'TestUnary', pos, end: reader.at, operator: '-n', operand: first }
  if (!COMPARISONS.has(found) || !isBlank(codeAt(reader.text, reader.at + found.length))) return odd(reader)
  reader.at += found.length
  skipBlanks(reader)
  const right = readOperand(reader)
  return right && { type: 'TestBinary', pos, end: reader.at, operator: found, left: first, right }
}

function readOperand(reader: GrammarReader): Word | undefined {
  if (endsWord(codeAt(reader.text, reader.at)) || isAt(reader, ']]')) return odd(reader)
  return readWord(reader)
}
