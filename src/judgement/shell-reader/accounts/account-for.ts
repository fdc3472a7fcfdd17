import { isKnown, valueOf, type Arg } from '../detection/arg.js'
import { resolvePath, type PathBase } from '../detection/resolve-path.js'
import { letterOption } from '../effects/grammar.js'
import type { GivenWords, ShellReading } from '../shell-reading.js'
import { accountOf } from './accounted-programs.js'
import type { Account } from './account.js'
import { namesIn } from './names-in.js'

/** What the words of one command leave open about files. */
export interface CommandAccount {
  /** Index of the command in the reading. */
  readonly index: number
  /** Whether it touches no file but those that its words name. */
  readonly isAccounted: boolean
  /** Proven to only read: no rule about writing can be meant. */
  readonly isReadOnly: boolean
  /** Absolute paths, as patterns, that its words may name. */
  readonly names: readonly PossibleName[]
}

export interface PossibleName {
  readonly path: string
  readonly seesHidden: boolean
}

// A URL of a file in which characters stand for others.
const ODD_FILE = /\bfileb?:.*[%{[\\]/is

/** For every command what its words may name, and whether that is all. Only rules about paths need to know. */
export function accountFor({ given, commands }: ShellReading): readonly CommandAccount[] {
  return given.map((words) => {
    const { index } = words
    const { isReadOnly, isTransparent } = commands[index]!
    const [program, ...args] = words.args.slice(words.from)
    const account = accountOf(programName(program!))
    const names = new Names(words.folders)
    const isTold =
      (isReadOnly && isOnlyAsking(args)) ||
      (account !== undefined && isTellable(account, args, isReadOnly) && judgeWords(account, words, names))
    const areNamed = addWords(account, args, names)
    const isOpen = words.isOpen && !isTransparent
    const isAccounted = areNamed && !isOpen && (isTransparent || isTold)
    return { index, isAccounted, isReadOnly, names: names.all }
  })
}

/** A program that is named by its path is another one, unless it is listed once more by its name. */
function programName(program: Arg): string {
  return isKnown(program) ? valueOf(program) : ''
}

/** It is asked for nothing but its version or how it is used. */
function isOnlyAsking(args: readonly Arg[]): boolean {
  return (
    args.length > 0 && args.every((arg) => /^(?:--?help|--?version|-h|-V|help|version)$/.test(valueOf(arg)))
  )
}

/** Nothing that it is given leads it to other files, and nothing that it is given is unknown. */
function isTellable(account: Account, args: readonly Arg[], isProven: boolean): boolean {
  const { isAlways, options, unless, hasPlainAt } = account
  if (!isProven && !isAlways && (options === undefined || !areKnown(args, options))) return false
  if (account.except !== undefined && hasOption(args, account.except)) return false
  return args.every((arg) => {
    const value = valueOf(arg)
    if (!isKnown(arg) && account.isText === undefined) return false
    if (unless?.test(value)) return false
    if (account.isText || account.judge) return true
    // A list of further words, or a name that is not written as it is.
    return !(value.startsWith('@') && !hasPlainAt) && !ODD_FILE.test(value)
  })
}

/** Adds the files of its own that it prints. False where what it is asked to do is not known. */
function judgeWords(account: Account, { args, from, folders }: GivenWords, names: Names): boolean {
  const words = args.slice(from)
  const own = account.verbs === undefined ? account.own : ownOf(account, words)
  if (account.verbs !== undefined && own === undefined) return false
  for (const path of own ?? []) names.add({ path, seesHidden: false })
  if (account.judge === undefined) return true
  const { isAccounted, below = [] } = account.judge(words)
  const above = new Names(folders.flatMap(foldersAbove))
  for (const path of below) above.add({ path, seesHidden: false })
  names.take(above)
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

/** False where the words hold more names than can be looked at. */
function addWords(account: Account | undefined, args: readonly Arg[], names: Names): boolean {
  if (account?.isText) return true
  const pattern = account?.pattern === undefined || hasOption(args, account.pattern) ? -1 : firstWord(args)
  for (const [at, arg] of args.entries()) {
    if (at === pattern && !account?.isProgram) continue
    const found = namesIn(arg)
    if (found === undefined) return false
    // What is a wildcard for the shell is an everyday sign in a program.
    for (const name of found) if (at !== pattern || !/[*?[]/.test(name.path)) names.add(name)
  }
  return true
}

function firstWord(args: readonly Arg[]): number {
  return args.findIndex((arg) => !valueOf(arg).startsWith('-'))
}

/** Whether one of these options may be among the words: in a row of letters, abbreviated, or with its value attached. */
function hasOption(args: readonly Arg[], options: string): boolean {
  const names = options.split(' ')
  return args.some((arg) => {
    const value = valueOf(arg)
    if (!value.startsWith('-')) return false
    const [name = ''] = value.split('=')
    return names.some((option) => {
      if (option.startsWith('--')) return name.length > 2 && option.startsWith(name)
      if (option.length > 2) return value === option || value === `-${option}`
      return !value.startsWith('--') && value.includes(option[1]!)
    })
  })
}

/** Whether every option is one of these. */
function areKnown(args: readonly Arg[], options: string): boolean {
  const names = new Set(options.split(' '))
  for (const arg of args) {
    const value = valueOf(arg)
    if (value === '--') return true
    if (!value.startsWith('-') || value === '-') continue
    if (value.startsWith('--')) {
      const [name = ''] = value.split('=')
      if (!names.has(name) && !names.has(`${name}=`)) return false
    } else if (!areLetters(value, names)) return false
  }
  return true
}

function areLetters(value: string, names: ReadonlySet<string>): boolean {
  for (let at = 1; at < value.length; at++) {
    const option = letterOption(value.charCodeAt(at))
    if (names.has(`${option}=`)) return true
    if (!names.has(option)) return false
  }
  return true
}

/** The folder and all above it. */
function foldersAbove(base: PathBase): PathBase[] {
  const folders = [base]
  for (let { cwd } = base; cwd.length > 1;) {
    cwd = cwd.slice(0, Math.max(1, cwd.lastIndexOf('/')))
    folders.push({ ...base, cwd })
  }
  return folders
}

/** Names seen from every folder that the command may run in. */
class Names {
  readonly #found = new Map<string, PossibleName>()

  constructor(private readonly folders: readonly PathBase[]) {}

  get all(): readonly PossibleName[] {
    return [...this.#found.values()]
  }

  add({ path, seesHidden }: PossibleName): void {
    for (const folder of this.folders) {
      const resolved = resolvePath(path, folder)
      this.#found.set(seesHidden ? `*${resolved}` : resolved, { path: resolved, seesHidden })
    }
  }

  take({ all }: Names): void {
    for (const name of all) this.add(name)
  }
}
