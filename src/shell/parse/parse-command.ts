import { parse, type ParsedScript } from 'unbash'
import type { ShellKind } from '../shell-kind.js'
import { BACKSLASH, BRACE, COLON, MEANINGFUL, ONE_SPACE, UNUSUAL, signsIn } from './signs-in.js'
import { splitPlain } from './split-plain.js'
import { parseStrict } from '../strict-grammar/parse-strict.js'

/** A command line as a tree, as words if it is one plain command, or why it is neither. */
export type ParsedCommand = ParsedText | UnparsedText

export interface ParsedText {
  readonly ok: true
  readonly text: string
  readonly shell: ShellKind
  /** Why the tree proves nothing: the text is not in the strict grammar. Empty if it is. */
  readonly doubt: string
  /** Absent if there are `words`. */
  readonly script: ParsedScript | undefined
  /** The text is one command of only these words, with one space between. */
  readonly words: readonly string[] | undefined
  /** It contains a colon, or a backslash, which may hide one. */
  readonly mayHaveUrls: boolean
}

export interface UnparsedText {
  readonly ok: false
  readonly text: string
  readonly problem: string
}

const MAX_CHARS = 16_384
// The parser's time grows with the square of them.
const MAX_BRACES = 512

// Control characters other than tab and newline, and other characters that are invisible or change the writing
// direction.
const HIDDEN =
  /(?![\t\n])\p{C}|(?! )\p{Z}|\p{Variation_Selector}|\u034F|[\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/u

/**
 * Parses a command with the strict grammar or, if the text is not in it, with a parser of the full language, whose tree
 * proves nothing. A text that a person and the shell could read differently is not parsed.
 */
export function parseCommand(text: string, shell: ShellKind = 'bash'): ParsedCommand {
  if (text.length > MAX_CHARS) return fail(text, `It is longer than ${MAX_CHARS} characters.`)
  const signs = signsIn(text)
  const mayHaveUrls = (signs & (COLON | BACKSLASH)) !== 0
  if ((signs & MEANINGFUL) === 0) {
    const words = splitPlain(text, Math.floor(signs / ONE_SPACE))
    if (words !== undefined)
      return { ok: true, text, shell, doubt: '', script: undefined, words, mayHaveUrls }
  } else {
    if ((signs & BRACE) !== 0 && countBraces(text) > MAX_BRACES)
      return fail(text, `It holds more than ${MAX_BRACES} braces.`)
    if ((signs & UNUSUAL) !== 0 && HIDDEN.test(text))
      return fail(text, 'It holds characters that cannot be seen.')
    if ((signs & BACKSLASH) !== 0 && text.includes('\\\n'))
      return fail(text, 'It continues a line with a backslash.')
  }
  const strict = parseStrict(text, shell)
  if (typeof strict !== 'string')
    return { ok: true, text, shell, doubt: '', script: strict, words: undefined, mayHaveUrls }
  try {
    const script = parse(text)
    if (script.errors && script.errors.length > 0) return fail(text, 'It is no complete shell command.')
    return { ok: true, text, shell, doubt: strict, script, words: undefined, mayHaveUrls }
  } catch {
    return fail(text, 'It cannot be parsed.')
  }
}

function countBraces(text: string): number {
  let count = 0
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) count++
  return count
}

function fail(text: string, problem: string): ParsedCommand {
  return { ok: false, text, problem }
}
