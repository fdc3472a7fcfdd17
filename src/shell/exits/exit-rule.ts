import type { Argument } from '../parse/argument.js'
import type { ExitMeaning } from '../exit-reading.js'

/**
 * Whether a code has its meaning for sure, only where nothing was said on stderr, only where something was written to
 * stdout, or not with these words.
 */
export type Certainty = 'sure' | 'if_silent' | 'if_output' | 'no'

/** One exit code of a program that is an answer and no failure. */
export interface ExitRule {
  readonly code: number
  readonly meaning: Exclude<ExitMeaning, 'success' | 'failure'>
  /** How much the words of the command tell; `sure` where it is not said. */
  readonly certainty?: Certainty | ((words: readonly Argument[]) => Certainty)
  /** The program is the shell's own: behind another program this code would be that one's. */
  readonly isShellOnly?: true
}

export function whether(condition: boolean): Certainty {
  return condition ? 'sure' : 'no'
}

/** Whether one of some options stands among the words, before a `--`. */
export function hasOption(words: readonly Argument[], ...options: readonly string[]): boolean {
  for (const word of words) {
    if (word === '--') return false
    if (typeof word === 'string' && options.includes(word)) return true
  }
  return false
}

/** The words that are no options; undefined where how many there are is known only to the shell. */
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
