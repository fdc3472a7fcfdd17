import { anyWords, type Argument } from '../parse/argument.js'
import { isHarmlessEnvironment } from '../proof/harmless-names.js'
import type { Prover } from '../proof/prover.js'
import { innerCommandOf, innerOfXargs, type WrapperShape } from './find-inner-command.js'

/**
 * `env` with harmless variables, and the command that it runs; alone it prints the environment. Not -i and -u: without
 * a PATH a shell uses a default, which may contain the working folder.
 */
export function judgeEnv(args: readonly Argument[], from: number, prover: Prover): boolean {
  let index = from
  for (; index < args.length; index++) {
    const arg = args[index]!
    if (typeof arg !== 'string') return prover.fail('env: it is not known what it would run.')
    if (arg === '--' || arg === '-0' || arg === '--null') continue
    if (arg.startsWith('-')) return prover.fail(`env: with the option ${arg} it is not known to only read.`)
    const equals = arg.indexOf('=')
    if (equals < 1) break
    if (!isHarmlessEnvironment(arg.slice(0, equals), arg.slice(equals + 1)))
      return prover.fail(`${arg.slice(0, equals)} can change what a command does.`)
  }
  if (index === args.length) return true
  return prover.provesArguments(args.slice(index))
}

/** For commands that add nothing of their own to the one that they run. */
export function judgeWrapper(shape: WrapperShape) {
  const findInner = innerCommandOf(shape)
  return (args: readonly Argument[], from: number, prover: Prover): boolean => {
    const inner = findInner(args, from)
    return typeof inner === 'string' ? prover.fail(inner) : prover.provesArguments(args.slice(inner))
  }
}

const scriptInner = innerCommandOf({ flags: '-q -a -aq -qa', values: '', operand: /^\/dev\/null$/ })

/** `script` with a command after it. Some versions look for their own options, `-c` among them, also after it. */
export function judgeScript(args: readonly Argument[], from: number, prover: Prover): boolean {
  const inner = scriptInner(args, from)
  if (typeof inner === 'string') return prover.fail(inner)
  const words = args.slice(inner)
  if (words.some((word) => typeof word !== 'string' || word.startsWith('-')))
    return prover.fail('script may take a word of the command for an option of its own.')
  return prover.provesArguments(words)
}

/** `xargs` adds unknown words, so its command must be read-only with any of them. */
export function judgeXargs(args: readonly Argument[], from: number, prover: Prover): boolean {
  const inner = innerOfXargs(args, from)
  if (typeof inner === 'string') return prover.fail(inner)
  const words = withPlaceholder(args.slice(inner.at), inner.placeholder)
  return prover.provesArguments(inner.isAdding ? [...words, anyWords] : words)
}

/** A placeholder is replaced by one unknown text, also in a command's name. */
export function withPlaceholder(words: readonly Argument[], placeholder: string): readonly Argument[] {
  if (placeholder === '') return words
  return words.map((word) => {
    const at = typeof word === 'string' ? word.indexOf(placeholder) : -1
    return at === -1 ? word : { lead: (word as string).slice(0, at), isOne: true }
  })
}

/** `bash -c 'script'`; the following words are the script's own parameters. */
export function judgeShell(args: readonly Argument[], from: number, prover: Prover): boolean {
  let isCommand = false
  for (let index = from; index < args.length; index++) {
    const arg = args[index]!
    if (typeof arg !== 'string') return prover.fail(`${String(args[0])}: it is not known what it would run.`)
    if (isCommand && !arg.startsWith('-')) return provesShellText(String(args[0]), arg, prover)
    if (!/^-[celunvf]+$/.test(arg)) break
    isCommand = isCommand || arg.includes('c')
  }
  return prover.fail(`It is not known what ${String(args[0])} would run.`)
}

function provesShellText(shell: string, text: string, prover: Prover): boolean {
  const name = shell.slice(shell.lastIndexOf('/') + 1)
  // Other shells have other grammars, and builtins of the same name that calculate with their arguments.
  if (name !== 'bash' && name !== 'sh' && name !== 'dash')
    return prover.fail(`What ${shell} makes of this text is not known: only bash, sh and dash are.`)
  return prover.provesText(text, name === 'bash' ? 'bash' : 'sh')
}
