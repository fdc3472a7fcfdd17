import type { Argument } from '../parse/argument.js'
import { isOwnVariable } from '../proof/harmless-names.js'
import type { Prover } from '../proof/prover.js'

/** `printf` prints, unless `-v` or `%n` sets a variable. */
export function judgePrintf(args: readonly Argument[], from: number, prover: Prover): boolean {
  const format = args[args[from] === '--' ? from + 1 : from]
  if (typeof format !== 'string') return prover.fail('printf: its format is not known.')
  if (format.startsWith('-') && args[from] !== '--')
    return prover.fail(`printf: with the option ${format} it is not known to only read.`)
  return !/%[-+ #0'*.$0-9]*[hjlLqtzZ]*n/.test(format) || prover.fail('printf: %n sets a variable.')
}

/** `read` into the script's own variables. */
export function judgeRead(args: readonly Argument[], from: number, prover: Prover): boolean {
  for (let index = from; index < args.length; index++) {
    const arg = args[index]!
    if (typeof arg !== 'string')
      return prover.fail('read: which variable it sets is known only when it runs.')
    if (/^-[rs]+$/.test(arg)) continue
    if (/^-r?[dnNpt]$/.test(arg)) {
      index += 1
      const value = args[index]
      if (typeof value !== 'string' || /^-./.test(value))
        return prover.fail(`read: the value of the option ${arg} is not known.`)
    } else if (!isOwnVariable(arg))
      return prover.fail(`read sets the variable ${arg}, which can change what other commands do.`)
  }
  return true
}

/** `cd` to a literal folder, or to one that is then unknown. */
export function judgeCd(args: readonly Argument[], from: number, prover: Prover): boolean {
  let index = from
  for (; index < args.length; index++) {
    const arg = args[index]!
    if (typeof arg !== 'string' || !/^-./.test(arg)) break
    if (!/^-(?:[LPe]+|-)$/.test(arg))
      return prover.fail(`cd: with the option ${arg} it is not known to only read.`)
  }
  const target = args[index]
  // No folder means the home folder, a dash the previous one, and a second one is a pattern to some shells.
  const isKnown = typeof target === 'string' && target !== '-' && index === args.length - 1
  prover.moves(isKnown ? target : undefined)
  return true
}

/** `pushd` to a literal folder. Without one, or with a number, it returns to one of the others. */
export function judgePushd(args: readonly Argument[], from: number, prover: Prover): boolean {
  const [target, ...more] = args.slice(args[from] === '-n' ? from + 1 : from)
  if (target === undefined || (typeof target === 'string' && /^[-+][0-9]+$/.test(target))) return true
  if (typeof target === 'string' && target.startsWith('-'))
    return prover.fail(`pushd: with the option ${target} it is not known to only read.`)
  prover.moves(typeof target === 'string' && more.length === 0 ? target : undefined)
  return true
}

const safeModes = new Set(['errexit', 'nounset', 'pipefail', 'noglob'])

/**
 * `set` if it only ends a script earlier, leaves patterns unexpanded, or lists variables. Not -x, whose prompt is
 * expanded and may run a command, and not -a, which exports variables.
 */
export function judgeSet(args: readonly Argument[], from: number, prover: Prover): boolean {
  for (let index = from; index < args.length; index++) {
    const arg = args[index]!
    if (typeof arg !== 'string')
      return prover.fail('set: which options of the shell it sets is known only when it runs.')
    if (/^[-+][euf]+$/.test(arg)) continue
    const mode = args[index + 1]
    if (!/^[-+][euf]*o$/.test(arg) || typeof mode !== 'string' || !safeModes.has(mode))
      return prover.fail(`set ${arg} can change what the commands around it do.`)
    index += 1
  }
  return true
}

/** `command -v name` looks up; `command name` runs. */
export function judgeCommand(args: readonly Argument[], from: number, prover: Prover): boolean {
  const first = args[from]
  if (first === '-v' || first === '-V') return true
  const start = first === '-p' || first === '--' ? from + 1 : from
  if (start >= args.length) return prover.fail('command is given no command to run.')
  return prover.provesArguments(args.slice(start))
}
