import { isKnown, valueOf, type Arg } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import { literalInput } from '../detection/literal-output.js'
import { scanText } from '../detection/scan-text.js'
import { restore, stateOf } from '../detection/state.js'
import type { Trace } from '../detection/trace.js'
import { each, type EffectTable } from './usage.js'
import { runJoined } from './wrap.js'

/** Shells, and builtins that run a text as a command. */
export const shells: EffectTable = {
  ...each('sh bash dash zsh ksh mksh ash fish rbash', shell),
  ...each('su', su),
  eval: ({ args, from, index }, trace) => runJoined(args.slice(from + 1), index, trace),
  ...each('source .', { first: ['script'], rest: 'text' }),
  trap: ({ args, from, index }, trace) => {
    const words = args.slice(from + 1).filter((arg) => !/^-[lp]$|^--$/.test(valueOf(arg)))
    if (words.length > 1 && valueOf(words[0]!) !== '-') runJoined(words.slice(0, 1), index, trace)
  },
  alias: ({ args, from, index }, trace) => {
    for (const arg of args.slice(from + 1)) {
      const value = valueOf(arg)
      if (!value.includes('=')) continue
      trace.changesMeaning = true
      trace.engine.runText(value.slice(value.indexOf('=') + 1), index, trace)
    }
  },
  ...each('at batch', runInput),
  // Others may control what it runs.
  ...each('screen tmux', terminal),
}

/** The text for a shell is read with that shell's grammar. */
function shell(call: Call, trace: Trace): void {
  const outer = trace.shell
  trace.shell = /(?:^|\/)bash$/.test(valueOf(call.args[call.from]!)) ? 'bash' : 'sh'
  runShell(call, trace)
  trace.shell = outer
}

/** `sh -c text name args`, `sh file args`, `sh < text` */
function runShell(call: Call, trace: Trace): void {
  const { args, from } = call
  let at = from + 1
  let readsInput = false
  for (; at < args.length; at++) {
    const arg = args[at]!
    const value = valueOf(arg)
    if (/^(?:--rcfile|--init-file)$/.test(value)) trace.script(args[++at] ?? '')
    else if (hasLetter(value, 'c')) return runString(call, behindOptions(args, at + 1), trace)
    else if (/^[-+][a-zA-Z]*[oO]$/.test(value)) at++
    else if (hasLetter(value, 's')) readsInput = true
    else if (value === '-' || value === '--') {
      at++
      break
    } else if (!/^[-+]/.test(value)) break
  }
  const file = args[at]
  if (file === undefined || readsInput) return runInput(call, trace)
  if (/^(?:--version|--help)$/.test(valueOf(file))) return
  trace.script(file)
  for (const arg of args.slice(at + 1)) trace.read(arg)
}

/** `-lc` has the letter `c`; a word with other characters than letters is not a group of options. */
function hasLetter(value: string, letter: string): boolean {
  return /^-[a-zA-Z]+$/.test(value) && value.includes(letter)
}

/** Options may follow `-c` before its text. */
function behindOptions(args: readonly Arg[], start: number): number {
  let at = start
  while (at < args.length && /^[-+][a-zA-Z]/.test(valueOf(args[at]!))) at++
  return valueOf(args[at] ?? '') === '--' ? at + 1 : at
}

function runString({ args, index }: Call, at: number, trace: Trace): void {
  const text = args[at]
  if (text === undefined) return
  const before = stateOf(trace)
  trace.positionals = args.slice(at + 2)
  if (!isKnown(text)) trace.strict('It runs a text that is known only when it runs.')
  // Even if it is not completely known: a name in it may match a rule.
  trace.engine.runText(valueOf(text), index, trace)
  for (const other of typeof text === 'string' ? [] : (text.also ?? []))
    trace.engine.runText(other.value, index, trace)
  restore(before, trace)
}

/** The script comes in on the standard input. */
function runInput({ index }: Call, trace: Trace): void {
  const { input } = trace
  const text = literalInput(input)
  const before = stateOf(trace)
  // The rest of the script is the standard input of its commands.
  trace.input = undefined
  if (text === undefined) {
    trace.strict('It runs commands that are known only when it runs.')
    if (input?.type === 'HereDoc') scanText(input.body.text, trace)
    else if (input?.type === 'HereString') scanText(input.target?.text ?? '', trace)
  } else trace.engine.runText(text, index, trace)
  trace.input = input
  restore(before, trace)
}

/** `su -c text user`, `su - user -c text` */
function su(call: Call, trace: Trace): void {
  const { args, from, index } = call
  const at = args.findIndex((arg, place) => place > from && /^(?:-c|--command)$/.test(valueOf(arg)))
  const joined = args.find((arg) => valueOf(arg).startsWith('--command='))
  if (joined !== undefined) trace.engine.runText(valueOf(joined).slice('--command='.length), index, trace)
  else if (at === -1) runInput(call, trace)
  else runJoined(args.slice(at + 1, at + 2), index, trace)
}

/** A terminal with shells in it, and maybe a first command. */
function terminal({ args, from, index }: Call, trace: Trace): void {
  trace.strict('It runs commands that are known only when it runs.')
  const start = args.findIndex((arg, at) => at > from && !valueOf(arg).startsWith('-'))
  if (start !== -1) trace.engine.run(args, { from: start, by: index }, trace)
}
