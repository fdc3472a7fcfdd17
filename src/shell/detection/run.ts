import { effectOf } from '../effects/effect-of.js'
import { applyGrammar } from '../effects/apply-usage.js'
import { guessProgram } from '../effects/guess-program.js'
import { literalArg, valueOf, type Arg, type SpecialArg } from './arg.js'
import type { Call } from './call.js'
import type { RunOptions } from './trace.js'
import { isSchemeChar } from './host-in.js'
import type { Trace } from './trace.js'

/** Lists a command from its words, and notes its effects. */
export function run(args: readonly Arg[], options: RunOptions, trace: Trace): void {
  const name = args[options.from]
  if (name === undefined || !trace.step()) return
  const { from } = options
  let index = listCommand(args, options, trace)
  if (trace.mayHaveUrls) noteUrls(args, from, trace)
  if (!trace.commands[index]!.isLiteral) {
    const resolved = resolvedArgs(args, from)
    if (resolved) index = listCommand(resolved, { from: 0, by: index }, trace)
  }
  const call = { args, from, index }
  const words = trace.give(args, from, index)
  if (!trace.enter()) return
  const { gapCount } = trace
  if (typeof name === 'string') runProgram(name, call, trace)
  else runSpecial(name, call, trace)
  if (words !== undefined && trace.gapCount !== gapCount) words.isOpen = true
  trace.leave()
}

/** The same for plain words that are listed as they are in a text. */
export function runPlain(words: readonly string[], text: string, trace: Trace): void {
  if (!trace.step()) return
  const index = trace.list({
    text,
    words,
    isLiteral: true,
    isReadOnly: false,
    wrappedBy: trace.by,
    isTransparent: false,
  })
  if (trace.mayHaveUrls) noteUrls(words, 0, trace)
  const given = trace.give(words, 0, index)
  if (!trace.enter()) return
  const { gapCount } = trace
  runProgram(words[0]!, { args: words, from: 0, index }, trace)
  if (given !== undefined && trace.gapCount !== gapCount) given.isOpen = true
  trace.leave()
}

function runSpecial(name: SpecialArg, call: Call, trace: Trace): void {
  if (!name.isKnown || name.path.includes('*') || name.path.includes('?')) {
    trace.strict('Which program it runs is known only when it runs.')
    trace.execute(name)
    return guessProgram(name.value, call, trace)
  }
  runProgram(name.value, call, trace)
  const rest = call.args.slice(call.from + 1)
  for (const { value } of name.also ?? []) run([value, ...rest], { from: 0, by: call.index }, trace)
}

function runProgram(program: string, call: Call, trace: Trace): void {
  if (program.includes('/')) return runFile(program, call, trace)
  const called = trace.functions.size === 0 ? undefined : trace.functions.get(program)
  if (called) return trace.engine.callFunction(called, call, trace)
  const effect = effectOf(program)
  if (effect === undefined) guessProgram(program, call, trace)
  else if (typeof effect === 'function') effect(call, trace)
  else applyGrammar(effect, call, trace)
}

const PROGRAM_FOLDER = /^\/(?:usr\/(?:local\/)?)?s?bin\/$|^\/opt\/homebrew\/bin\/$/

/** A program with a path does what its name says and, outside of the usual folders, possibly something else. */
function runFile(program: string, { args, from, index }: Call, trace: Trace): void {
  const name = program.slice(program.lastIndexOf('/') + 1)
  const isUsual = PROGRAM_FOLDER.test(program.slice(0, -name.length))
  trace.execute(args[from]!)
  const words = [name, ...args.slice(from + 1)]
  const inner = { args: words, from: 0, index }
  if (!isUsual) guessProgram(program, inner, trace)
  if (name === '') return
  // The program is unknown, but a rule about its name applies too.
  if (!isUsual && effectOf(name) === undefined) return void listCommand(words, { from: 0, by: index }, trace)
  const command = trace.commands[index]
  if (command && isUsual) command.isTransparent = true
  run(words, { from: 0, by: index }, trace)
}

/** Adds a command to the list; inner commands refer to its index. */
export function listCommand(args: readonly Arg[], { from, by }: RunOptions, trace: Trace): number {
  let text = ''
  let isLiteral = true
  let isPlain = from === 0
  for (let at = from; at < args.length; at++) {
    const arg = args[at]!
    let word: string
    if (typeof arg === 'string') word = arg
    else {
      isPlain = false
      word = arg.written
      isLiteral &&= arg.isLiteral
      if (word === '' && !arg.isLiteral) continue
    }
    text = text === '' ? word : `${text} ${word}`
  }
  const words = isPlain ? (args as readonly string[]) : writtenWords(args, from)
  return trace.list({ text, words, isLiteral, isReadOnly: false, wrappedBy: by, isTransparent: false })
}

function writtenWords(args: readonly Arg[], from: number): readonly string[] {
  const words: string[] = []
  for (let at = from; at < args.length; at++) {
    const arg = args[at]!
    if (typeof arg === 'string') words.push(arg)
    else if (arg.written !== '' || arg.isLiteral) words.push(arg.written)
  }
  return words
}

/** The words with variables and braces expanded, if that differs from the words as written. */
function resolvedArgs(args: readonly Arg[], from: number): Arg[] | undefined {
  let isTelling = false
  for (let at = from; at < args.length && !isTelling; at++) isTelling = isResolved(args[at]!)
  if (!isTelling) return undefined
  return args
    .slice(from)
    .map((arg) =>
      typeof arg !== 'string' && arg.isKnown && !arg.isLiteral ? { ...arg, written: arg.value } : arg,
    )
}

const SLASH = 47
const TILDE = 126
const DOT = 46

/** Rules about paths apply to every spelling of a path. */
function isResolved(arg: Arg): boolean {
  if (typeof arg === 'string' || !arg.isKnown || arg.isLiteral || arg.value === arg.written) return false
  const first = arg.value.charCodeAt(0)
  return first !== SLASH && first !== TILDE && first !== DOT
}

/** Hosts count in every URL: an unknown program may open it. */
function noteUrls(args: readonly Arg[], from: number, trace: Trace): void {
  for (let at = from; at < args.length; at++) {
    const value = valueOf(args[at]!)
    let found = value.indexOf('://')
    while (found !== -1) {
      let start = found
      while (start > 0 && isSchemeChar(value.charCodeAt(start - 1))) start--
      const url = start === 0 ? value : value.slice(start)
      if (url.startsWith('file:')) trace.read(literalArg(url.slice('file://'.length)))
      else trace.host(url)
      found = value.indexOf('://', found + '://'.length)
    }
  }
}
