import { parse, type ParsedScript } from 'unbash'

/** A command line as a tree, or why there is none. */
export type ParsedCommand =
  | {
      readonly ok: true
      readonly text: string
      readonly script: ParsedScript
      /** No character of the text has a meaning beyond itself, so that every word is what it says. */
      readonly isPlain: boolean
    }
  | { readonly ok: false; readonly text: string; readonly problem: string }

const MAX_CHARS = 16_384
// The parser's time grows with the square of them.
const MAX_BRACES = 512

// Control characters other than tab and newline, and everything else that is not seen or turns the direction of writing.
const HIDDEN =
  /(?![\t\n])\p{C}|(?! )\p{Z}|\p{Variation_Selector}|\u034F|[\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/u

// Most commands have none of these. One look for them takes a fraction of the time of those that follow.
const MEANINGFUL = /[^\w\t\n ./:=@%+,^!#-]/
const UNUSUAL = /[^\t\n -~]/

/** Parses a command with a real bash grammar. What a person and the shell could read differently is not parsed. */
export function parseCommand(text: string): ParsedCommand {
  if (text.length > MAX_CHARS) return fail(text, `It is longer than ${MAX_CHARS} characters.`)
  const isPlain = !MEANINGFUL.test(text)
  if (!isPlain) {
    if (countBraces(text) > MAX_BRACES) return fail(text, `It holds more than ${MAX_BRACES} braces.`)
    if (UNUSUAL.test(text) && HIDDEN.test(text)) return fail(text, 'It holds characters that cannot be seen.')
    if (text.includes('\\\n')) return fail(text, 'It continues a line with a backslash.')
  }
  try {
    const script = parse(text)
    if (script.errors && script.errors.length > 0) return fail(text, 'It is no complete shell command.')
    return { ok: true, text, script, isPlain }
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
