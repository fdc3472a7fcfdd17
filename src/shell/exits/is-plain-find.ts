import { isNeverOption, type Argument } from '../parse/argument.js'

const COUNT = /^[+-]?\d+$/
const NAME = /[^\\]$/

/** Tests that only look, and what must follow them. */
const values = new Map<string, RegExp>([
  ...'-name -iname -path -ipath -wholename -iwholename -lname -ilname'.split(' ').map(entry(NAME)),
  ...'-mtime -atime -ctime -mmin -amin -cmin -links -uid -gid -inum -used'.split(' ').map(entry(COUNT)),
  ...'-maxdepth -mindepth'.split(' ').map(entry(/^\d+$/)),
  ...'-type -xtype'.split(' ').map(entry(/^[bcdpfls](?:,[bcdpfls])*$/)),
  ['-size', /^[+-]?\d+[cwbkMG]?$/],
  ['-perm', /^[-/]?[0-7]{1,4}$/],
  ['-printf', /[^%\\]$/],
])

const plain = new Set(
  `-print -print0 -ls -prune -quit -empty -true -false -readable -writable -executable -nouser -nogroup -depth -mount
    -xdev -follow -daystart`.split(/\s+/),
)
const joins = new Set('-a -and -o -or ,'.split(' '))
const negations = new Set('! -not'.split(' '))
const before = new Set('-H -L -P'.split(' '))

/** Whether `find` understands all its words and only looks. A failure then means that it could not read some folders. */
export function isPlainFind(words: readonly Argument[]): boolean {
  let at = 1
  while (at < words.length && isPlace(words[at]!)) at++
  return isExpression(words, at)
}

function isPlace(word: Argument): boolean {
  if (typeof word !== 'string') return isNeverOption(word) && !'!(),'.includes(word.lead[0]!)
  return before.has(word) || (!word.startsWith('-') && !'!(),'.includes(word[0] ?? '!'))
}

/** Tests with at most one word between two of them, in brackets that are closed. */
function isExpression(words: readonly Argument[], from: number): boolean {
  let depth = 0
  let isTestDue = false
  for (let at = from; at < words.length; at++) {
    const word = words[at]!
    if (typeof word !== 'string') return false
    if (word === '(') depth++
    if (word === '(' || negations.has(word)) isTestDue = true
    else if (isTestDue && (word === ')' || joins.has(word))) return false
    else if (word === ')') {
      if (--depth < 0) return false
    } else if (joins.has(word)) {
      if (at === from) return false
      isTestDue = true
    } else {
      at = endOfTest(words, at)
      if (at === -1) return false
      isTestDue = false
    }
  }
  return depth === 0 && !isTestDue
}

/** The index of the last word of a test, or -1 if the test is unknown. */
function endOfTest(words: readonly Argument[], at: number): number {
  const word = words[at] as string
  if (plain.has(word)) return at
  if (word === '-exec' || word === '-execdir') return endOfAction(words, at)
  const shape = values.get(word)
  const value = words[at + 1]
  if (shape === undefined || value === undefined) return -1
  if (typeof value !== 'string') return shape === NAME && value.isOne ? at + 1 : -1
  return shape.test(value) ? at + 1 : -1
}

/** A command that runs for each file does not affect the exit code; run for many at once, with a `+`, it does. */
function endOfAction(words: readonly Argument[], at: number): number {
  const end = words.indexOf(';', at + 2)
  return words.slice(at, end).some((word) => typeof word !== 'string' || word === '+') ? -1 : end
}

function entry(shape: RegExp) {
  return (name: string): [string, RegExp] => [name, shape]
}
