import { escapeWildcards, tailOf, valueOf, type Arg } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import type { Guess } from '../detection/detection.js'
import type { Trace } from '../detection/trace.js'
import { looksLikePath } from './looks-like-path.js'

const DASH = 45
const EQUALS = 61
const COLON = 58
const COMMA = 44
const AT = 64

/**
 * An unknown or partly known program: its arguments may be read, and those that look like a path may be written.
 * Without a name, only that it is partly known.
 */
export function guessProgram(program: string | undefined, { args, from, index }: Call, trace: Trace): void {
  const guess = trace.guess(program ?? trace.commands[index]!.words[0]!)
  if (program === undefined) return
  for (let at = from + 1; at < args.length; at++) {
    const arg = args[at]!
    const value = valueOf(arg)
    if (value === '--' && at + 1 < args.length) {
      // The words after it are often a command.
      trace.engine.run(args, { from: at + 1, by: index }, trace)
    }
    if (value.charCodeAt(0) === DASH) guessOption(arg, guess, trace)
    else guessWord(arg, guess, trace)
  }
}

function guessOption(arg: Arg, guess: Guess, trace: Trace): void {
  const value = valueOf(arg)
  const equals = value.indexOf('=')
  if (equals !== -1) guessWord(tailOf(arg, equals + 1), guess, trace)
  else if (value.length > 2 && value.charCodeAt(1) !== DASH && looksLikePath(value.slice(2)))
    guessWord(tailOf(arg, 2), guess, trace)
}

const ASSIGNMENT = /^[\w.-]+=/
const SEPARATOR = /[=:,@]/

function guessWord(arg: Arg, guess: Guess, trace: Trace): void {
  const value = valueOf(arg)
  const isJoined = hasSeparator(value)
  const name = isJoined ? ASSIGNMENT.exec(value) : null
  if (name) return guessWord(tailOf(arg, name[0].length), guess, trace)
  trace.read(arg)
  if (looksLikePath(value)) trace.guessWrite(guess, arg)
  // `/here:/there`, `name@file`
  if (!isJoined || value.includes('://')) return
  for (const part of value.split(SEPARATOR)) {
    if (!looksLikePath(part)) continue
    trace.read(escapeWildcards(part))
    trace.guessWrite(guess, escapeWildcards(part))
  }
}

/** Most words have none: reading the characters is faster than a regular expression. */
function hasSeparator(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code === EQUALS || code === COLON || code === COMMA || code === AT) return true
  }
  return false
}
