import { anyWords, type Argument } from '../argument.js'
import { isHarmlessEnvironment } from '../harmless-names.js'
import type { Prover } from '../prover.js'

/**
 * `env` with harmless variables, and what it runs; alone it prints the environment. Not -i and -u: without a PATH a shell
 * uses one of its own, which may hold the working directory.
 */
export function judgeEnv(args: readonly Argument[], from: number, prover: Prover): boolean {
  let index = from
  for (; index < args.length; index++) {
    const arg = args[index]!
    if (typeof arg !== 'string') return prover.fail('env: it is not known what it would run.')
    if (arg === '--' || arg === '-0' || arg === '--null') continue
    if (arg.startsWith('-')) return prover.fail(`env: the option ${arg} is not known to be harmless.`)
    const equals = arg.indexOf('=')
    if (equals < 1) break
    if (!isHarmlessEnvironment(arg.slice(0, equals), arg.slice(equals + 1)))
      return prover.fail(`${arg.slice(0, equals)} can change what a command does.`)
  }
  if (index === args.length) return true
  return prover.provesArguments(args.slice(index))
}

/** How a command is given that only runs another one: its options, and how many operands come before the other's name. */
interface WrapperShape {
  readonly flags: string
  readonly values: string
  readonly operand?: RegExp
}

/** For commands that add nothing of their own to the one that they run. */
export function judgeWrapper(shape: WrapperShape) {
  const flags = new Set(shape.flags.split(' '))
  const values = new Set(shape.values.split(' '))
  return (args: readonly Argument[], from: number, prover: Prover): boolean => {
    let index = from
    for (; index < args.length; index++) {
      const arg = args[index]!
      if (typeof arg !== 'string')
        return prover.fail(`${String(args[0])}: it is not known what it would run.`)
      if (!arg.startsWith('-')) break
      if (flags.has(arg)) continue
      const isSeparate = values.has(arg)
      const value = isSeparate ? args[index + 1] : arg.slice(arg.startsWith('--') ? arg.indexOf('=') + 1 : 2)
      const name = isSeparate ? arg : arg.startsWith('--') ? arg.slice(0, arg.indexOf('=')) : arg.slice(0, 2)
      if (!values.has(name) || typeof value !== 'string' || !/^[\w.:+-]+$/.test(value))
        return prover.fail(`${String(args[0])}: the option ${arg} is not known to be harmless.`)
      if (isSeparate) index += 1
    }
    if (shape.operand !== undefined) {
      const operand = args[index]
      if (typeof operand !== 'string' || !shape.operand.test(operand))
        return prover.fail(`${String(args[0])} is not used in a way that is known.`)
      index += 1
    }
    if (index >= args.length) return prover.fail(`${String(args[0])} runs nothing that is named.`)
    return prover.provesArguments(args.slice(index))
  }
}

const xargsFlags = new Set(
  `-0 --null -r --no-run-if-empty -t --verbose -x --exit -i --replace -e --eof -l --max-lines`.split(' '),
)
const xargsValues = new Set(
  `-n --max-args -L -P --max-procs -s --max-chars -d --delimiter -E -a --arg-file -I -R -S`.split(' '),
)

/** `xargs` adds words that nobody has seen, so that what it runs must only read with any of them. */
export function judgeXargs(args: readonly Argument[], from: number, prover: Prover): boolean {
  let placeholder = ''
  let index = from
  for (; index < args.length; index++) {
    const arg = args[index]!
    if (typeof arg !== 'string') return prover.fail('xargs: it is not known what it would run.')
    if (!arg.startsWith('-')) break
    if (arg === '-i' || arg === '--replace') placeholder = '{}'
    if (xargsFlags.has(arg) || /^-[0rtx]+$/.test(arg) || /^-[nLPs][0-9]+$/.test(arg)) continue
    if (/^--(?:max-args|max-procs|max-chars|max-lines|eof|delimiter|arg-file)=./.test(arg)) continue
    if (/^-[dE]./.test(arg)) continue
    if (/^-I./.test(arg)) {
      placeholder = arg.slice(2)
      continue
    }
    const value = args[index + 1]
    if (!xargsValues.has(arg) || typeof value !== 'string' || value.startsWith('-'))
      return prover.fail(`xargs: the option ${arg} is not known to be harmless.`)
    if (arg === '-I' && value === '') return prover.fail('xargs: -I names nothing.')
    if (arg === '-I') placeholder = value
    index += 1
  }
  if (index === args.length) return prover.fail('xargs runs nothing that is named.')
  return prover.provesArguments([...withPlaceholder(args.slice(index), placeholder), anyWords])
}

/** Words in which something unseen is put stand for anything; so does a command's name among them. */
function withPlaceholder(words: readonly Argument[], placeholder: string): readonly Argument[] {
  if (placeholder === '') return words
  return words.map((word) => (typeof word === 'string' && word.includes(placeholder) ? anyWords : word))
}

/** `bash -c 'script'`; whatever follows are the script's own parameters. */
export function judgeShell(args: readonly Argument[], from: number, prover: Prover): boolean {
  let isCommand = false
  for (let index = from; index < args.length; index++) {
    const arg = args[index]!
    if (typeof arg !== 'string') return prover.fail(`${String(args[0])}: it is not known what it would run.`)
    if (isCommand && !arg.startsWith('-')) return provesShellText(String(args[0]), arg, prover)
    if (!/^-[celuxnvf]+$/.test(arg)) break
    isCommand = isCommand || arg.includes('c')
  }
  return prover.fail(`It is not known what ${String(args[0])} would run.`)
}

function provesShellText(shell: string, text: string, prover: Prover): boolean {
  // Other shells have other grammars; a few plain words mean the same in all of them.
  const isBash = /(?:^|\/)(?:ba)?sh$/.test(shell)
  if (!isBash && !/^[\w ./-]+$/.test(text)) return prover.fail(`${shell} reads this by rules of its own.`)
  return prover.provesText(text)
}
