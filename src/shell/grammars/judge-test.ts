import type { Argument } from '../parse/argument.js'
import type { Prover } from '../proof/prover.js'

// `-v` and `-R` evaluate a subscript, which can run a command.
const looks = new Set('-b -c -d -e -f -g -h -k -p -r -s -t -u -w -x -G -L -N -O -S -z -n'.split(' '))
const comparisons = new Set('= == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef'.split(' '))

/**
 * `[ … ]` with operators that only look or compare. Every unknown word must be exactly one word in a position where
 * only an operand is possible: `[ "$a" "$b" ]` may become `[ -v 'x[$(command)]' ]`.
 */
export function judgeTest(args: readonly Argument[], from: number, prover: Prover): boolean {
  let end = args.length
  if (args[0] === '[' || String(args[0]).endsWith('/[')) {
    end -= 1
    if (args[end] !== ']') return prover.fail('[ has no closing ].')
  }
  // In longer tests the shell looks for operators everywhere, also in the values of variables.
  const isLong = end - from > (args[from] === '!' ? 4 : 3)
  if (isLong && args.some((arg) => typeof arg !== 'string'))
    return prover.fail('The test has words that only the shell can expand in more than one place.')
  for (let index = from; ; index++) {
    const taken = takeTest(args, index, end)
    if (taken === -1) return prover.fail('The test is not known to only read.')
    index = taken
    if (index === end) return true
    if (args[index] !== '-a' && args[index] !== '-o')
      return prover.fail('The test is not known to only read.')
  }
}

/** Reads one comparison or test; returns where the next begins, or -1. */
function takeTest(args: readonly Argument[], from: number, end: number): number {
  const start = args[from] === '!' ? from + 1 : from
  const [first, second, third] = [args[start], args[start + 1], args[start + 2]]
  const left = end - start
  if (
    left >= 3 &&
    isOperand(first) &&
    typeof second === 'string' &&
    comparisons.has(second) &&
    isOperand(third)
  )
    return start + 3
  if (left >= 2 && typeof first === 'string' && looks.has(first) && isOperand(second)) return start + 2
  // A single word is only tested for being empty; among others it might be an operator.
  if (left === 1 && from === start && end - from === 1 && isOperand(first)) return start + 1
  return -1
}

function isOperand(arg: Argument | undefined): boolean {
  if (arg === undefined) return false
  if (typeof arg !== 'string') return arg.isOne
  return arg !== '(' && arg !== ')' && arg !== '!' && arg !== '-v' && arg !== '-R'
}
