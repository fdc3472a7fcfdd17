import type { Word, WordPart } from 'unbash'
import { isPlainArithmetic } from './is-plain-arithmetic.js'
import type { Prover } from './prover.js'

/** Whether the expansion of this word changes and runs nothing. Its result is a separate question. */
export function provesWord({ parts }: Word, prover: Prover): boolean {
  return parts === undefined || provesParts(parts, prover)
}

export function provesParts(parts: readonly WordPart[], prover: Prover): boolean {
  let areProven = true
  for (const part of parts) areProven = provesPart(part, prover) && areProven
  return areProven
}

/** The grammar has only expansions that read; what remains to prove are the commands in them. */
function provesPart(part: WordPart, prover: Prover): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'Glob':
    case 'BraceExpansion':
      return true
    case 'ArithmeticExpansion':
      if (isPlainArithmetic(part.text)) return true
      return prover.taint(`The arithmetic ${part.text} holds more than numbers, so it may run a command.`)
    case 'DoubleQuoted':
      return provesParts(part.parts, prover)
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return prover.provesScript(part.script)
    case 'ExtendedGlob':
    case 'LocaleString':
      return prover.taint(`The word ${part.text} is written in a way that is not understood.`)
  }
}
