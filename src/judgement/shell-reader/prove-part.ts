import type { ParameterExpansionPart, ParameterOperation, Word, WordPart } from 'unbash'
import { isPlainArithmetic } from './is-plain-arithmetic.js'
import type { Prover } from './prover.js'
import { readPlainText } from './read-plain-text.js'

/** Whether the shell changes and runs nothing when it expands this word. What comes out of it is another question. */
export function provesWord(word: Word, prover: Prover): boolean {
  if (readPlainText(word.text) !== undefined) return true
  const { parts } = word
  return parts === undefined ? provesBareText(word.text, prover) : provesParts(parts, prover)
}

export function provesParts(parts: readonly WordPart[], prover: Prover): boolean {
  let areProven = true
  for (const part of parts) areProven = provesPart(part, prover) && areProven
  return areProven
}

/** Text that the parser found nothing in. A second look costs little and does not depend on the parser. */
export function provesBareText(text: string, prover: Prover): boolean {
  if (!text.includes('`') && !text.includes('$(') && !text.includes('${')) return true
  return prover.taint(`The word ${text} is not understood.`)
}

function provesPart(part: WordPart, prover: Prover): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'SimpleExpansion':
      return true
    case 'DoubleQuoted':
      return provesParts(part.parts, prover)
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return part.parts === undefined ? provesBareText(part.text, prover) : provesParts(part.parts, prover)
    case 'CommandExpansion':
      return prover.provesScript(part.script)
    case 'ProcessSubstitution':
      if (part.operator !== '<') return prover.fail(`${part.text} is a place to write to.`)
      return prover.provesScript(part.script)
    case 'ArithmeticExpansion':
      if (isPlainArithmetic(part.expression)) return true
      return prover.taint(`The arithmetic ${part.text} holds more than numbers.`)
    case 'ParameterExpansion':
      return provesParameter(part, prover)
    case 'LocaleString':
      return prover.taint(`The word ${part.text} is translated before it is expanded.`)
  }
}

function provesParameter(part: ParameterExpansionPart, prover: Prover): boolean {
  const isPlain =
    part.prefix !== '!' && (part.index === undefined || /^(?:[0-9]+|[@*])$/.test(part.index.text))
  if (isPlain && provesOperation(part.operation, prover)) return true
  return prover.taint(`The expansion ${part.text} can do more than read a variable.`)
}

function provesOperation(operation: ParameterOperation | undefined, prover: Prover): boolean {
  if (operation === undefined) return true
  switch (operation.type) {
    case 'Default':
      if (operation.operator === '=' || operation.operator === ':=') return false
      return provesWord(operation.operand, prover)
    case 'Remove':
      return provesWord(operation.operand, prover)
    case 'Replace':
      return provesWord(operation.pattern, prover) && provesWord(operation.replacement, prover)
    case 'Slice':
      return isNumber(operation.offset) && (operation.length === undefined || isNumber(operation.length))
    case 'CaseModification':
      return operation.operand === undefined || provesWord(operation.operand, prover)
    case 'Transform':
      // `@P` expands the value like a prompt, and a prompt may run commands.
      return /^[QULu]$/.test(operation.operand.text)
    case 'Names':
    case 'Unknown':
      return false
  }
}

function isNumber(word: Word): boolean {
  return /^ ?-?[0-9]+$/.test(word.text)
}
