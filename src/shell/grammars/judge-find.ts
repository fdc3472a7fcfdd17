import { isNeverOption, type Argument, type Opaque } from '../parse/argument.js'
import type { Prover } from '../proof/prover.js'

const plain = new Set(
  `-H -L -P -E -X -s -x -d -O0 -O1 -O2 -O3 -true -false -print -print0 -ls -prune -quit -empty -depth -daystart
    -follow -mount -xdev -noleaf -ignore_readdir_race -noignore_readdir_race -nouser -nogroup -readable -writable
    -executable -not -a -and -o -or -warn -nowarn ! ( ) ,`.split(/\s+/),
)
const withValue = new Set(
  `-f -name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -fstype -size
    -user -group -uid -gid -inum -links -newer -anewer -cnewer -mtime -atime -ctime -mmin -amin -cmin -used
    -maxdepth -mindepth -samefile -printf -regextype -context -flags -Bmin -Btime`.split(/\s+/),
)

/** `find` reads its start folders, unless an action deletes, writes a list, or runs a command that does more than read. */
export function judgeFind(args: readonly Argument[], from: number, prover: Prover): boolean {
  const starts: Argument[] = []
  for (let index = from; index < args.length; index++) {
    const arg = args[index]!
    if (typeof arg !== 'string') {
      if (!isPath(arg)) return prover.fail('find: a word that only the shell can expand could be an action.')
      starts.push(arg)
    } else if (arg === '-exec' || arg === '-execdir') {
      const end = args.findIndex((word, at) => at > index && (word === ';' || isPlusEnd(args, at)))
      if (end === -1) return prover.fail(`find: ${arg} has no closing ; or +.`)
      // It runs in every folder with a match.
      if (arg === '-execdir') prover.moves()
      if (!provesAction(args, index, end, arg === '-exec' ? leadOf(starts) : '', prover)) return false
      index = end
    } else if (withValue.has(arg) || /^-newer[aBcm][aBcmt]$/.test(arg) || arg === '-perm') {
      index += 1
      if (!isValue(args[index], arg)) return prover.fail(`find: the value of ${arg} is not known.`)
    } else if (!plain.has(arg)) {
      if (arg.startsWith('-')) return prover.fail(`find ${arg} is not known to only read.`)
      starts.push(arg)
    }
  }
  return true
}

/** A word that can only be a start folder. */
function isPath(arg: Opaque): boolean {
  return isNeverOption(arg) && !'!(),'.includes(arg.lead[0]!)
}

function isValue(value: Argument | undefined, name: string): boolean {
  if (value === undefined) return false
  if (typeof value !== 'string') return value.isOne
  if (name === '-perm') return /^[-+/]?[0-7ugoarwxXst=,+-]+$/.test(value)
  return !value.startsWith('-') || /^-[0-9]/.test(value)
}

function isPlusEnd(args: readonly Argument[], at: number): boolean {
  return args[at] === '+' && args[at - 1] === '{}'
}

/** The common start of all names that replace `{}`. */
function leadOf(starts: readonly Argument[]): string {
  if (starts.length === 0) return './'
  const [start] = starts
  return starts.length === 1 && typeof start === 'string' ? start : ''
}

function provesAction(
  args: readonly Argument[],
  from: number,
  end: number,
  lead: string,
  prover: Prover,
): boolean {
  const isMany = args[end] === '+'
  const words: Argument[] = []
  for (const arg of args.slice(from + 1, end)) {
    // A word that expands to several could contain the end of the action, and another action after it.
    if (typeof arg !== 'string') return prover.fail('find: it is not known what -exec would run.')
    const at = arg.indexOf('{}')
    if (at === -1) words.push(arg)
    else words.push({ lead: at === 0 ? lead : arg.slice(0, at), isOne: !isMany })
  }
  return prover.provesArguments(words)
}
