import type { Argument } from '../parse/argument.js'
import type { Prover } from '../proof/prover.js'
import { isPlainAwk } from './is-plain-awk.js'

const flags = new Set(
  '-b -c -P -r -S --posix --traditional --re-interval --sandbox --csv --characters-as-bytes'.split(' '),
)

/** `awk` only reads if its program is plain. A program in a file is not visible, so it is never proven. */
export function judgeAwk(args: readonly Argument[], from: number, prover: Prover): boolean {
  let index = from
  for (; index < args.length; index++) {
    const arg = args[index]!
    if (typeof arg !== 'string')
      return prover.fail('awk: a word that only the shell can expand could be an option.')
    if (arg === '--') {
      index += 1
      break
    }
    if (!arg.startsWith('-') || arg === '-') break
    if (arg === '-F' || arg === '-v' || arg === '--field-separator' || arg === '--assign') {
      index += 1
      const value = args[index]
      if (value === undefined || (typeof value === 'string' ? value.startsWith('-') : !value.isOne))
        return prover.fail(`awk: the value of the option ${arg} is not known.`)
    } else if (!flags.has(arg) && !/^(?:-[Fv].|--field-separator=|--assign=)/s.test(arg)) {
      return prover.fail(`awk: with the option ${arg} it is not known to only read.`)
    }
  }
  const program = args[index]
  if (typeof program !== 'string' || !isPlainAwk(program))
    return prover.fail('The awk program is not known to only read.')
  // Options end at the program: the following words are files and values of variables.
  for (const arg of args.slice(index + 1)) {
    if (typeof arg === 'string' && /[\s"'>|]/.test(arg))
      return prover.fail(`awk: ${arg} does not look like a file.`)
    if (mayConnect(arg)) return prover.fail('awk: a name may open a connection to another machine.')
  }
  return true
}

/** GNU awk opens a connection for a file named `/inet/…`, `/inet4/…` or `/inet6/…`. */
function mayConnect(arg: Argument): boolean {
  if (typeof arg === 'string') return arg.startsWith('/inet')
  return !arg.isRelative && (arg.lead.startsWith('/inet') || '/inet'.startsWith(arg.lead))
}
