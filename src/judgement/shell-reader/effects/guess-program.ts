import { escapeWildcards, tailOf, valueOf, type Arg } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import type { Guess } from '../detection/detection.js'
import type { Trace } from '../detection/trace.js'
import { looksLikePath } from './looks-like-path.js'

const DASH = 45

/**
 * A program of which not everything is known here: what it is given may be read, and what looks like a path may be
 * written. Without a name only that it is known in part.
 */
export function guessProgram(program: string | undefined, { args, from, index }: Call, trace: Trace): void {
  const guess = trace.guess(program ?? trace.commands[index]!.words[0]!)
  if (program === undefined) return
  for (let at = from + 1; at < args.length; at++) {
    const arg = args[at]!
    const value = valueOf(arg)
    if (value === '--' && at + 1 < args.length) {
      // What stands behind it is often a command.
      trace.engine.run(args, { from: at + 1, by: index }, trace)
    }
    if (value.charCodeAt(0) === DASH) guessOption(arg, { guess, trace })
    else guessWord(arg, { guess, trace })
  }
}

interface Guessing {
  readonly guess: Guess
  readonly trace: Trace
}

function guessOption(arg: Arg, guessing: Guessing): void {
  const value = valueOf(arg)
  const equals = value.indexOf('=')
  if (equals !== -1) guessWord(tailOf(arg, equals + 1), guessing)
  else if (value.length > 2 && value.charCodeAt(1) !== DASH && looksLikePath(value.slice(2)))
    guessWord(tailOf(arg, 2), guessing)
}

function guessWord(arg: Arg, { guess, trace }: Guessing): void {
  const value = valueOf(arg)
  const equals = /^[\w.-]+=/.exec(value)
  if (equals) return guessWord(tailOf(arg, equals[0].length), { guess, trace })
  trace.read(arg)
  if (looksLikePath(value)) trace.guessWrite(guess, arg)
  // `/here:/there`, `name@file`
  if (!/[=:,@]/.test(value) || value.includes('://')) return
  for (const part of value.split(/[=:,@]/)) {
    if (!looksLikePath(part)) continue
    trace.read(escapeWildcards(part))
    trace.guessWrite(guess, escapeWildcards(part))
  }
}
