import type { Argument } from '../argument.js'
import { isOwnVariable } from '../harmless-names.js'
import type { Prover } from '../prover.js'

/** `printf` prints, unless `-v` or `%n` sets a variable. */
export function judgePrintf(args: readonly Argument[], from: number, prover: Prover): boolean {
  const format = args[args[from] === '--' ? from + 1 : from]
  if (typeof format !== 'string') return prover.fail('printf: its format is not known.')
  if (format.startsWith('-') && args[from] !== '--')
    return prover.fail(`printf: the option ${format} is not known to be harmless.`)
  return !/%[-+ #0'*.$0-9]*[hjlLqtzZ]*n/.test(format) || prover.fail('printf: %n sets a variable.')
}

/** `read` into variables that are the script's own. */
export function judgeRead(args: readonly Argument[], from: number, prover: Prover): boolean {
  for (let index = from; index < args.length; index++) {
    const arg = args[index]!
    if (typeof arg !== 'string') return prover.fail('read: it is not known what it sets.')
    if (/^-[rs]+$/.test(arg)) continue
    if (/^-r?[dnNpt]$/.test(arg)) {
      index += 1
      const value = args[index]
      if (typeof value !== 'string' || /^-./.test(value))
        return prover.fail(`read: it is not known what follows ${arg}.`)
    } else if (!isOwnVariable(arg)) return prover.fail(`read sets ${arg}.`)
  }
  return true
}

export function judgeCd(args: readonly Argument[], from: number, prover: Prover): boolean {
  prover.moves()
  const odd = args
    .slice(from)
    .find((arg) => typeof arg === 'string' && /^-./.test(arg) && !/^-(?:[LPe]+|-)$/.test(arg))
  return odd === undefined || prover.fail(`cd: the option ${String(odd)} is not known to be harmless.`)
}

/** `command -v name` asks; `command name` runs. */
export function judgeCommand(args: readonly Argument[], from: number, prover: Prover): boolean {
  const first = args[from]
  if (first === '-v' || first === '-V') return true
  const start = first === '-p' || first === '--' ? from + 1 : from
  if (start >= args.length) return prover.fail('command runs nothing that is named.')
  return prover.provesArguments(args.slice(start))
}
