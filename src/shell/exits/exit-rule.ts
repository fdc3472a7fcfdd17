import type { Argument } from '../parse/argument.js'
import type { ExitMeaning } from '../exit-reading.js'

/**
 * Whether a code certainly has its meaning, only with an empty stderr, only with output on stdout, or not with these
 * words.
 */
export type Certainty = 'sure' | 'if_silent' | 'if_output' | 'no'

/** One exit code of a program that is an answer and not a failure. */
export interface ExitRule {
  readonly code: number
  readonly meaning: Exclude<ExitMeaning, 'success' | 'failure'>
  /** How much the words of the command tell; `sure` by default. */
  readonly certainty?: Certainty | ((words: readonly Argument[]) => Certainty)
  /** The program is a builtin: behind another program this code would be that program's. */
  readonly isShellOnly?: true
}

export function whether(condition: boolean): Certainty {
  return condition ? 'sure' : 'no'
}

/** Whether one of some options is among the words, before a `--`. */
export function hasOption(words: readonly Argument[], ...options: readonly string[]): boolean {
  for (const word of words) {
    if (word === '--') return false
    if (typeof word === 'string' && options.includes(word)) return true
  }
  return false
}

/** The words that are not options; undefined if only the shell knows their number. */
export function operandsOf(words: readonly Argument[]): readonly Argument[] | undefined {
  const operands: Argument[] = []
  let isEnded = false
  for (const word of words) {
    if (typeof word !== 'string') {
      if (!word.isOne) return undefined
      operands.push(word)
    } else if (isEnded || !word.startsWith('-') || word === '-') operands.push(word)
    else if (word === '--') isEnded = true
  }
  return operands
}
