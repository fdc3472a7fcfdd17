import type { Argument } from '../parse/argument.js'
import { CompiledSpec } from '../compile-spec.js'
import type { Prover } from '../proof/prover.js'
import { readOptions } from '../proof/read-options.js'
import { isPlainSed } from './is-plain-sed.js'

const spec = new CompiledSpec({
  // Not -i and -I, which edit in place, and -f, whose script is not visible. -l takes a value in some versions only.
  options: `-n -E -r -s -u -z -e= --quiet --silent --regexp-extended --separate --unbuffered --null-data --posix
    --debug --sandbox --expression=`,
  values: { '-e': isPlainSed, '--expression': isPlainSed },
  check: ({ options, operands }) => {
    if (options.has('-e') || options.has('--expression')) return true
    const [script] = operands
    return typeof script === 'string' && isPlainSed(script)
  },
})

/** `sed` only reads if all its scripts are plain. */
export function judgeSed(args: readonly Argument[], from: number, prover: Prover): boolean {
  const { problem, options, operands } = readOptions(args, from, spec)
  if (problem !== '') return prover.fail(`sed: ${problem}.`)
  return (
    spec.check!({ options: options!, operands: operands! }) ||
    prover.fail('The sed script is not known to only read.')
  )
}
