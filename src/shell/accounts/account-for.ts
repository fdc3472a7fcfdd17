import { isKnown, pathOf, valueOf, writtenOf, type Arg } from '../detection/arg.js'
import type { GivenWords, ShellReading } from '../shell-reading.js'
import { areKnown, firstWord, hasOption } from './account-options.js'
import type { Account } from './account.js'
import { accountOf } from './accounted-programs.js'
import { namesIn } from './names-in.js'
import { PossibleNames, type FoundName, type PossibleName } from './possible-names.js'

/** What the words of one command leave open about files. */
export interface CommandAccount {
  /** Index of the command in the reading. */
  readonly index: number
  /** Whether it touches only files that its words name. */
  readonly isAccounted: boolean
  /** Proven read-only: no rule about writing can match. */
  readonly isReadOnly: boolean
  /** The word that names its program. */
  readonly program: string
  readonly names: readonly FoundName[]
}

/** For every command the paths that its words may name, and whether they are all. Only rules about paths need it. */
export function accountFor({ given, commands }: ShellReading): readonly CommandAccount[] {
  return given.map((words) => {
    const { index, args, from, folders } = words
    const { isReadOnly, isTransparent } = commands[index]!
    const program = args[from]!
    const rest = args.slice(from + 1)
    const account = isKnown(program) ? accountOf(valueOf(program)) : undefined
    const names = new PossibleNames(folders)
    const areNamed = addWords(account, rest, names)
    const isAccounted =
      areNamed && (isTransparent ? rest.every(isKnown) : isTold(account, words, { isReadOnly, names }))
    return { index, isAccounted, isReadOnly, program: writtenOf(program), names: names.all }
  })
}

interface Telling {
  readonly isReadOnly: boolean
  readonly names: PossibleNames
}

function isTold(account: Account | undefined, words: GivenWords, { isReadOnly, names }: Telling): boolean {
  if (words.isOpen) return false
  const rest = words.args.slice(words.from + 1)
  if (isReadOnly && isOnlyAsking(rest)) return true
  return account !== undefined && isTellable(account, rest, isReadOnly) && judgeWords(account, words, names)
}

/** It only prints its version or usage. */
function isOnlyAsking(args: readonly Arg[]): boolean {
  return (
    args.length > 0 && args.every((arg) => /^(?:--?help|--?version|-h|-V|help|version)$/.test(valueOf(arg)))
  )
}

// A URL of a file with encoded characters.
const ODD_FILE = /\bfileb?:.*[%{[\\]/is

/** No word leads it to other files, and no word is unknown. */
function isTellable(account: Account, args: readonly Arg[], isProven: boolean): boolean {
  const { isAlways, options, unless, hasPlainAt } = account
  if (!isProven && !isAlways && (options === undefined || !areKnown(args, options))) return false
  if (account.except !== undefined && hasOption(args, account.except)) return false
  return args.every((arg) => {
    const value = valueOf(arg)
    if (!isKnown(arg) && account.isText === undefined) return false
    if (unless?.test(value)) return false
    if (account.isText || account.judge) return true
    // A list of further words, or an encoded name.
    return !(value.startsWith('@') && !hasPlainAt) && !ODD_FILE.test(value)
  })
}

/** Adds further files that it touches. False if its sub-command is unknown. */
function judgeWords(account: Account, { args, from }: GivenWords, names: PossibleNames): boolean {
  const words = args.slice(from)
  if (account.isCopying) addCopies(words.slice(1), names)
  const own = account.verbs === undefined ? account.own : ownOf(account, words)
  if (account.verbs !== undefined && own === undefined) return false
  for (const path of own ?? []) names.add({ path })
  if (account.judge === undefined) return true
  const { isAccounted, kept = [], folders = [] } = account.judge(words)
  for (const path of kept) names.addAbove({ path })
  for (const path of folders) names.add({ path, isFolder: true, access: 'read' })
  return isAccounted
}

function ownOf({ verbs = {}, takes = '' }: Account, words: readonly Arg[]): readonly string[] | undefined {
  const taking = takes.split(' ')
  for (let at = 1; at < words.length; at++) {
    const value = valueOf(words[at]!)
    if (taking.includes(value)) at++
    else if (!value.startsWith('-')) return Object.hasOwn(verbs, value) ? verbs[value] : undefined
  }
  return []
}

/** If one word is a folder, the others are put into it under their own names. */
function addCopies(args: readonly Arg[], names: PossibleNames): void {
  const given = args.flatMap((arg) => {
    const path = pathOf(arg)
    if (!path.startsWith('-')) return [path]
    return path.includes('=') ? [path.slice(path.indexOf('=') + 1)] : [path.slice(2)]
  })
  const paths = given.filter((path) => path !== '').map((path) => path.replace(/\/+$/, ''))
  const folders = hasOption(args, '-t --target-directory') ? paths : paths.slice(-1)
  for (const folder of folders) {
    for (const path of paths) {
      const name = path.slice(path.lastIndexOf('/') + 1)
      if (path !== folder) names.add({ path: `${folder}/${name}`, access: 'write' })
    }
  }
}

/** False if the words hold more names than the limit. */
function addWords(account: Account | undefined, args: readonly Arg[], names: PossibleNames): boolean {
  if (account?.isText) return true
  const { pattern, flags = '' } = account ?? {}
  const skipped = pattern === undefined || hasOption(args, pattern) ? -1 : firstWord(args, flags)
  // Wildcard characters of a shell are common in programs and in names of commits.
  const isOdd = (at: number, { path, seesHidden }: PossibleName): boolean =>
    (at === skipped || account?.judge !== undefined) && (seesHidden === true || /[*?[]/.test(path))
  const isPlain = ({ path }: PossibleName): boolean => account?.judge !== undefined || /^\d+$/.test(path)
  for (let at = 0; at < args.length; at++) {
    if (at === skipped && !account?.isProgram) continue
    const found = namesIn(args[at]!)
    if (found === undefined) return false
    for (const name of found)
      if (!isOdd(at, name)) names.add(isPlain(name) ? { ...name, isPlain: true } : name, valueOf(args[at]!))
  }
  return true
}
