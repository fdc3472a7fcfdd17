import { anyWords, type Argument } from '../parse/argument.js'
import { CompiledSpec } from '../compile-spec.js'
import type { Prover } from '../proof/prover.js'
import { readOptions } from '../proof/read-options.js'

const OPTIONS = `-H -I -u -s -i -g -F -a -l -L -p -0 -q -1 -h -V -d= -E= -t= -e= -S= -o= -c= -j= --hidden --no-hidden --no-ignore
  --ignore --no-ignore-vcs --ignore-vcs --no-ignore-parent --no-require-git --no-global-ignore-file --unrestricted
  --case-sensitive --ignore-case --glob --regex --fixed-strings --literal --and= --absolute-path --relative-path
  --list-details --follow --no-follow --full-path --print0 --max-depth= --min-depth= --exact-depth= --exclude=
  --prune --type= --extension= --size= --changed-within= --changed-before= --newer= --older= --owner= --format=
  --color= --threads= --max-results= --quiet --show-errors --path-separator= --search-path= --strip-cwd-prefix?
  --one-file-system --mount --xdev --ignore-file= --hyperlink? --version --help`
const finds = new CompiledSpec({ options: `${OPTIONS} -C= --base-directory=` })
// Not from another folder: the command may trust the files there.
const runs = new CompiledSpec({ options: OPTIONS })
const runners = new Set(['-x', '-X', '--exec', '--exec-batch'])

/** `fd` reads, unless it runs a command on its matches that does more. */
export function judgeFd(args: readonly Argument[], from: number, prover: Prover): boolean {
  const runsAt = args.findIndex((arg, index) => index >= from && typeof arg === 'string' && runners.has(arg))
  const found =
    runsAt === -1 ? readOptions(args, from, finds) : readOptions(args.slice(0, runsAt), from, runs)
  if (found.problem !== '') return prover.fail(`fd: ${found.problem}.`)
  return runsAt === -1 || provesRun(args.slice(runsAt + 1), prover)
}

function provesRun(words: readonly Argument[], prover: Prover): boolean {
  const command: Argument[] = []
  for (const word of words) {
    if (typeof word !== 'string' || word === ';') return prover.fail('fd: it is not known what it would run.')
    const brace = word.indexOf('{')
    command.push(brace === -1 ? word : { lead: word.slice(0, brace), isOne: false })
  }
  // Without a placeholder, the matched name comes last.
  return prover.provesArguments([...command, anyWords])
}
