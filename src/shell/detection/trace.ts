import type { Function as FunctionNode } from 'unbash'
import type { ParsedCommand } from '../parse/parse-command.js'
import type { ShellKind } from '../shell-kind.js'
import type { GivenWords, ShellContext } from '../shell-reading.js'
import { escapeWildcards, isKnown, pathOf, type Arg, type SpecialArg } from './arg.js'
import type { Detection, FoundCommand, Guess } from './detection.js'
import { isEvaluatedVariable } from './evaluated-variables.js'
import { hostIn } from './host-in.js'
import { ANYWHERE, resolvePath, type PathBase } from './resolve-path.js'
import type { HereDoc, HereString, CommandNode, ParsedScript } from 'unbash'
import type { Call } from './call.js'

/** The weight of a reason: the heaviest comes first. */
type Weight = 0 | 1 | 2 | 3
const STRICT = 0
const DESTRUCTIVE = 1
const OPEN = 2
const INCOMPLETE = 3

const MAX_PATHS = 256
const MAX_REASONS = 8
const MAX_FOLDERS = 4
const MAX_STEPS = 4000
const MAX_NESTING = 32
const MAX_VARIABLES = 64

// Opening one of these changes no file.
const NO_FILES = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/tty', '/dev/zero'])

// Most commands leave most lists empty: one shared, frozen empty list.
const NOTHING: string[] = []
Object.freeze(NOTHING)
const NO_NODES: readonly FunctionNode[] = []
const NO_GUESSES: Guess[] = []
const NO_WRITERS: object[] = []
const NO_COMMANDS: FoundCommand[] = []
const NO_GIVEN: OpenWords[] = []
const NO_TREE: (object | undefined)[] = []
const NO_ARGS: readonly Arg[] = []
const NO_WEIGHTS: Weight[] = []
const NO_VARIABLES: ReadonlyMap<string, readonly Arg[]> = new Map()
const NO_FUNCTIONS: ReadonlyMap<string, FunctionNode> = new Map()

type OpenWords = { -readonly [field in keyof GivenWords]: GivenWords[field] }

/** Everything that one walk knows and finds. */
export class Trace implements Detection {
  readonly text: string
  readonly isParsed: boolean
  readonly home: string
  readonly mayHaveUrls: boolean
  /** The shell that reads the current text. */
  shell: ShellKind
  /** Where the next command may run: several folders if a `cd` may have failed. */
  folders: readonly PathBase[]
  variables = NO_VARIABLES
  functions = NO_FUNCTIONS
  /** Functions that were not called yet. */
  idle = NO_NODES
  positionals: readonly Arg[] | undefined = NO_ARGS
  input: Input | undefined = undefined
  /** The current command of the tree; inside of texts the command that holds the text. */
  node: object | undefined = undefined
  /** Index of the command whose text is being walked. */
  by: number | undefined = undefined
  depth = 0
  /** Inside a container or on another machine: paths are not those of this machine. */
  isElsewhere = false
  /** Second pass through a loop: its commands are listed already. */
  isReplay = false

  reads = NOTHING
  writes = NOTHING
  deletes = NOTHING
  redirects = NOTHING
  executes = NOTHING
  hosts = NOTHING
  guesses = NO_GUESSES
  writers = NO_WRITERS
  commands = NO_COMMANDS
  nodes = NO_TREE
  given = NO_GIVEN
  /** How many unknown things were found. */
  gapCount = 0
  hasLooseGap = false
  hidesTarget = false
  changesMeaning = false
  isComplete = true
  isBlind = false
  hidesCode = false
  is_destructive = false
  is_open_world = false
  /** Sorted by weight. */
  reasons = NOTHING
  private weights = NO_WEIGHTS
  private steps = 0
  private nesting = 0
  /** The last noted word is a path. */
  private namesFile = false

  constructor(
    parsed: ParsedCommand,
    context: ShellContext,
    readonly engine: Engine,
  ) {
    this.text = parsed.text
    this.shell = context.shell ?? 'bash'
    this.isParsed = parsed.ok
    this.mayHaveUrls = parsed.ok ? parsed.mayHaveUrls : /[:\\]/.test(parsed.text)
    this.folders = foldersOf(context)
    this.home = this.folders[0]!.home
  }

  get gaps(): readonly string[] {
    return this.reasons.slice(this.weights.indexOf(INCOMPLETE))
  }

  /** Adds a command to the list; inner commands refer to its index. */
  list(command: FoundCommand): number {
    const { commands, nodes, node } = this
    if (commands === NO_COMMANDS) {
      this.commands = [command]
      this.nodes = [node]
      return 0
    }
    if (this.isReplay) {
      const listed = commands.findIndex((each, at) => each.text === command.text && nodes[at] === node)
      if (listed !== -1) return listed
    }
    nodes.push(node)
    return commands.push(command) - 1
  }

  /** Stores the words of a command that is about to run; undefined if its paths are not on this machine. */
  give(args: readonly Arg[], from: number, index: number): OpenWords | undefined {
    if (this.isElsewhere) return undefined
    const words: OpenWords = { args, from, index, folders: this.folders, isOpen: false }
    if (this.given === NO_GIVEN) this.given = [words]
    else this.given.push(words)
    return words
  }

  read(arg: Arg): void {
    this.reads = this.note(this.reads, arg)
  }

  /** Created or appended to: existing content stays. False if it names no file. */
  write(arg: Arg): boolean {
    this.namesFile = false
    this.writes = this.note(this.writes, arg)
    if (!this.namesFile) return false
    const { node, writers } = this
    if (node === undefined) return true
    if (writers === NO_WRITERS) this.writers = [node]
    else if (!writers.includes(node)) writers.push(node)
    return true
  }

  /** Overwritten. */
  replace(arg: Arg): void {
    if (this.write(arg)) this.destructive('It may write over what is there.')
  }

  /** Deleted or emptied. */
  remove(arg: Arg): void {
    this.write(arg)
    this.deletes = this.note(this.deletes, arg)
    this.destructive('It deletes.')
  }

  /** Run as a program. */
  execute(arg: Arg): void {
    this.executes = this.note(this.executes, arg)
  }

  /** Read as code and run by another program. */
  script(arg: Arg): void {
    this.execute(arg)
    this.read(arg)
    this.incomplete('It runs a file whose content is not known.')
    const path = pathOf(arg)
    // The author of text from a pipe is unknown.
    if (path === '-' || path.startsWith('/dev/') || path.startsWith('/proc/'))
      this.strict('It runs code that is known only when it runs.')
  }

  /** Opened by the shell itself for writing. */
  redirect(arg: Arg): void {
    if (!isKnown(arg)) this.hidesTarget = true
    this.redirects = this.note(this.redirects, arg)
  }

  guess(program: string): Guess {
    const guess: Guess = { node: this.node, program, writes: NOTHING }
    if (this.guesses === NO_GUESSES) this.guesses = [guess]
    else this.guesses.push(guess)
    return guess
  }

  guessWrite(guess: Guess, arg: Arg): void {
    guess.writes = this.note(guess.writes, arg)
  }

  host(text: string): void {
    const host = hostIn(text)
    if (host === undefined) return
    this.openWorld('It talks to other machines.')
    if (this.hosts === NOTHING) this.hosts = [host]
    else if (!this.hosts.includes(host) && this.hosts.length < MAX_PATHS) this.hosts.push(host)
  }

  destructive(reason: string): void {
    this.is_destructive = true
    this.keep(DESTRUCTIVE, reason)
  }

  openWorld(reason: string): void {
    this.is_open_world = true
    this.keep(OPEN, reason)
  }

  incomplete(reason: string): void {
    this.isComplete = false
    this.noteGap()
    this.keep(INCOMPLETE, reason)
  }

  /** Something unknown may happen here: it counts as the worst. */
  strict(reason: string): void {
    this.isBlind = true
    this.isComplete = false
    this.noteGap()
    this.is_destructive = true
    this.is_open_world = true
    this.keep(STRICT, reason)
  }

  /** The text is not in the strict grammar: its tree may differ from the shell's. */
  mistrust(reason: string): void {
    this.hidesCode = true
    this.incomplete(reason)
  }

  /** Code may run that is in no list, also inside of listed commands. */
  hide(reason: string): void {
    this.hidesCode = true
    this.strict(reason)
  }

  /** False if the command is too large to be walked further. */
  step(): boolean {
    if (++this.steps <= MAX_STEPS) return true
    this.strict('It has too many parts to follow.')
    return false
  }

  /** False if too many commands are nested. */
  enter(): boolean {
    if (++this.nesting <= MAX_NESTING) return true
    this.nesting--
    this.strict('It holds commands inside of commands too deep to follow.')
    return false
  }

  leave(): void {
    this.nesting--
  }

  moveTo(folders: readonly PathBase[]): void {
    const isClear = folders.length > 0 && folders.length <= MAX_FOLDERS
    this.folders = isClear ? folders : [{ cwd: ANYWHERE, home: this.home }]
  }

  set(name: string, values: readonly Arg[]): void {
    if (isEvaluatedVariable(name)) this.hide('It sets a variable whose value the shell runs.')
    if (this.variables.size >= MAX_VARIABLES) return this.strict('It sets too many variables to follow.')
    this.variables = new Map(this.variables).set(name, values)
  }

  private noteGap(): void {
    this.gapCount++
    if (this.nesting === 0) this.hasLooseGap = true
  }

  private keep(weight: Weight, text: string): void {
    const { reasons, weights } = this
    if (reasons === NOTHING) {
      this.reasons = [text]
      this.weights = [weight]
      return
    }
    if (reasons.length >= MAX_REASONS || reasons.includes(text)) return
    let at = reasons.push(text) - 1
    weights.push(weight)
    for (; at > 0 && weights[at - 1]! > weight; at--) {
      reasons[at] = reasons[at - 1]!
      weights[at] = weights[at - 1]!
    }
    reasons[at] = text
    weights[at] = weight
  }

  /** The list with all paths that a word may be. */
  private note(list: string[], arg: Arg): string[] {
    if (typeof arg === 'string') return this.notePath(list, arg)
    let noted = this.noteSpecial(list, arg)
    if (arg.also !== undefined) for (const other of arg.also) noted = this.noteSpecial(noted, other)
    return noted
  }

  private noteSpecial(list: string[], arg: SpecialArg): string[] {
    if (arg.isKnown) return this.notePath(list, arg.path)
    this.incomplete('Some of its words are known only when it runs.')
    // A completely unknown word would match every rule.
    return /[a-z0-9]/i.test(arg.path) ? this.notePath(list, arg.path) : list
  }

  private notePath(list: string[], path: string): string[] {
    if (path === '' || path === '-' || (this.mayHaveUrls && path.includes('://'))) return list
    if (path.startsWith('/dev/') && this.isNoFile(path)) return list
    this.namesFile = true
    if (this.isElsewhere) return list
    let noted = list
    for (let at = 0; at < this.folders.length; at++) noted = this.add(noted, path, this.folders[at]!)
    return noted
  }

  private add(list: string[], path: string, folder: PathBase): string[] {
    const resolved = resolvePath(path, folder)
    if (folder.cwd === ANYWHERE && resolved.startsWith(ANYWHERE))
      this.incomplete('It is not known in which folder it runs.')
    // An array that is created with one member stays small; one that grows by push does not.
    if (list === NOTHING) return [resolved]
    if (list.includes(resolved)) return list
    if (list.length >= MAX_PATHS) this.strict('It touches too many files to list.')
    else list.push(resolved)
    return list
  }

  private isNoFile(path: string): boolean {
    const [, , kind = '', host = ''] = path.split('/')
    if (kind === 'tcp' || kind === 'udp') this.host(host)
    return kind === 'tcp' || kind === 'udp' || kind === 'fd' || NO_FILES.has(path)
  }
}

let lastPlace: ShellContext | undefined
let lastFolders: readonly PathBase[] = []

/** Computed once for each folder: most commands start in the same folder as the one before. */
function foldersOf(context: ShellContext): readonly PathBase[] {
  if (context === lastPlace) return lastFolders
  const home = resolvePath(escapeWildcards(context.home), { cwd: '/', home: '/' })
  lastFolders = [{ cwd: resolvePath(escapeWildcards(context.cwd), { cwd: '/', home }), home }]
  lastPlace = context
  return lastFolders
}

/** Where the standard input of a command comes from. */
export type Input = HereDoc | HereString | CommandNode

export interface RunOptions {
  /** Index of the command's first word. */
  readonly from: number
  /** Index of the command that runs it. */
  readonly by: number | undefined
}

/** Callbacks into the walk, passed in so that the command tables do not import the walk that uses them. */
export interface Engine {
  /** A command as words: lists it and notes its effects. */
  run(args: readonly Arg[], options: RunOptions, trace: Trace): void
  /** A script as text, in the current shell. */
  runText(text: string, by: number | undefined, trace: Trace): void
  walkApart(script: ParsedScript, trace: Trace): void
  /** Without a call: the caller and its arguments are unknown. */
  callFunction(called: FunctionNode, call: Call | undefined, trace: Trace): void
}
