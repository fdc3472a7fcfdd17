import { isNeverOption, type Argument } from '../parse/argument.js'
import { CompiledSpec } from '../compile-spec.js'
import type { Prover } from '../proof/prover.js'
import { readOptions } from '../proof/read-options.js'

// A colon makes the name one of another host, which is reached with a program.
const isLocal = (value: string) => !value.includes(':')

const tar = new CompiledSpec({
  needs: '-t --list',
  // Not -I, --to-command, --checkpoint-action, -F and the like, which run programs.
  options: `-t -v -z -j -J -Z -a -f= -R -n --list --verbose --gzip --gunzip --ungzip --bzip2 --xz --compress --lzma
    --zstd --auto-compress --file= --wildcards --no-wildcards --exclude= --full-time --numeric-owner --utc
    --block-number --show-transformed-names --quoting-style= --strip-components= --ignore-case --no-recursion
    --occurrence?`,
  values: { '-f': isLocal, '--file': isLocal },
})

/** `tar` that lists. Its first word may be options without a dash. */
export function judgeTar(args: readonly Argument[], from: number, prover: Prover): boolean {
  const first = args[from]
  const isOldStyle = typeof first === 'string' && /^[a-zA-Z]+$/.test(first)
  // In the old style values follow in the order of their letters: with one such letter only, at the end, both styles agree.
  if (isOldStyle && !/^[tvzjJZan]*f?$/.test(first))
    return prover.fail(`tar ${first} is not known to only read.`)
  const words = isOldStyle ? [...args.slice(0, from), `-${first}`, ...args.slice(from + 1)] : args
  const { problem } = readOptions(words, from, tar)
  return problem === '' || prover.fail(`tar: ${problem}.`)
}

/** `unzip` that lists, tests or prints. */
export function judgeUnzip(args: readonly Argument[], from: number, prover: Prover): boolean {
  const first = args[from]
  // Letters may not be spread over several words here, so that all options are seen at once. Without -Z, -T would set
  // the archive's time.
  const lists = /^-(?:hh?|Z[12smlvhTtz]*|(?=.*[lvtzpc])[lvtzpcqC]+)$/
  if (first !== undefined && (typeof first !== 'string' || !lists.test(first)))
    return prover.fail('unzip is not known to only read with these arguments.')
  const odd = args.slice(from + 1).find((arg) => !isOperand(arg))
  return odd === undefined || prover.fail('unzip is not known to only read with these arguments.')
}

function isOperand(arg: Argument): boolean {
  return typeof arg === 'string' ? !arg.startsWith('-') : isNeverOption(arg)
}

/** `7z` that lists, tests, hashes or measures. */
export function judge7z(args: readonly Argument[], from: number, prover: Prover): boolean {
  const first = args[from]
  if (first === undefined || first === '-h') return args.length <= from + 1
  if (typeof first !== 'string' || !/^[lthbi]$/.test(first))
    return prover.fail('7z is not known to only read with these arguments.')
  const isSwitch = (arg: Argument) =>
    typeof arg === 'string' && /^-(?:scrc[\w*]*|slt|r-?|ba|bd|bt|p\S*|mmt\S*|t\w+)$/.test(arg)
  const odd = args.slice(from + 1).find((arg) => !isOperand(arg) && !isSwitch(arg))
  return odd === undefined || prover.fail('7z is not known to only read with these arguments.')
}
