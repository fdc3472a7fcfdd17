import type {
  Assignment,
  Case,
  Command,
  CompoundList,
  If,
  ParsedScript,
  Redirection,
  Statement,
  Word,
} from 'unbash'
import { sayWords, type Argument } from '../parse/argument.js'
import { FolderConditions } from './folder-conditions.js'
import type { FolderReliance } from '../folder-facts.js'
import { isHarmlessEnvironment, isOwnVariable } from './harmless-names.js'
import { parseCommand, type ParsedText } from '../parse/parse-command.js'
import { provesCommandWords } from './prove-command-words.js'
import { provesWord } from './prove-part.js'
import { provesRedirect } from './prove-redirect.js'
import { provesTest } from './prove-test.js'
import type { Proof } from './proof.js'
import type { Prover } from './prover.js'
import type { ShellKind } from '../shell-kind.js'
import type { ShellContext } from '../shell-reading.js'
import { toArgument } from '../parse/to-argument.js'

const MAX_DEPTH = 20
const MAX_COMMANDS = 500

/** Builtins that can change the meaning of the rest of a script. */
const shellState = new Set(
  `alias unalias set shopt export unset eval source . exec declare typeset local readonly enable hash trap builtin
    command read mapfile readarray getopts printf let bind complete compgen compopt cd pushd popd test [ shift`.split(
    /\s+/,
  ),
)

// Most walks leave them empty: one shared empty list.
const NONE: object[] = []
Object.freeze(NONE)
const NO_ARGUMENTS: readonly Argument[] = []

type Node = Statement['command']

/** One walk over a parsed command line. It continues after a failure: other commands may still be proven. */
export class ProofWalk implements Prover, Proof {
  isReadOnly = false
  isOpenWorld = false
  proven = NONE
  private isTainted = false
  private problem = ''
  private reasonArgs = NO_ARGUMENTS
  private reasonEnd = 0
  private conditions: FolderConditions | undefined
  /** How many conditions on folders there are, and the commands that have them. */
  private reliedCount = 0
  private relying = NONE
  private depth = 0
  private readonly context: ShellContext
  private commandCount = 0

  constructor(context: ShellContext) {
    this.context = context
  }

  /** Why it is not proven. Built on first use: building the sentence can take longer than finding the reason. */
  get reason(): string {
    return sayWords(this.reasonArgs, this.reasonEnd) + this.problem
  }

  fail(reason: string): false {
    return this.failAt(this.reasonArgs, this.reasonEnd, reason)
  }

  failAt(args: readonly Argument[], end: number, reason: string): false {
    if (this.problem !== '') return false
    this.problem = reason
    this.reasonArgs = args
    this.reasonEnd = end
    return false
  }

  taint(reason: string): false {
    this.isTainted = true
    return this.fail(reason)
  }

  reachesOut(): void {
    this.isOpenWorld = true
  }

  moves(to?: string): void {
    this.conditions ??= new FolderConditions()
    this.conditions.moves(to)
  }

  relies(on: FolderReliance, name: string, at: string): void {
    this.conditions ??= new FolderConditions()
    this.conditions.relies({ on, at, name })
    this.reliedCount += 1
  }

  get dependsOnFolder(): boolean {
    return this.conditions !== undefined && !this.conditions.isEmpty
  }

  /** Walks all of it; the walk itself holds the result and is the proof. */
  conclude(parsed: ParsedText): void {
    const areProven = this.provesParsed(parsed)
    this.isReadOnly = this.meetsConditions(parsed.text, areProven) && areProven
    if (!this.isReadOnly) this.isOpenWorld = false
    if (this.isTainted) this.proven = NONE
  }

  /** Checked last: only then are all folders of the script known. */
  private meetsConditions(text: string, areProven: boolean): boolean {
    // Nothing is checked if the result cannot matter.
    if (!areProven && this.proven === NONE) return false
    const problem = this.conditions?.problem(text, this.context)
    if (problem === undefined) return true
    if (this.conditions!.isLost) return this.taint(problem)
    // The other commands keep their meaning.
    this.proven = this.proven.filter((command) => !this.relying.includes(command))
    return this.fail(problem)
  }

  provesArguments(args: readonly Argument[]): boolean {
    return this.deeper(() => provesCommandWords(args, this))
  }

  provesText(text: string, shell: ShellKind): boolean {
    const parsed = parseCommand(text, shell)
    if (!parsed.ok) return this.taint(parsed.problem)
    if (parsed.doubt !== '') return this.taint(parsed.doubt)
    return this.provesParsed(parsed)
  }

  private provesParsed({ words, script }: ParsedText): boolean {
    if (words === undefined) return this.provesScript(script)
    if (this.depth >= MAX_DEPTH) return this.taint('It is nested too deeply.')
    this.commandCount += 1
    if (this.commandCount > MAX_COMMANDS) return this.taint(`It has more than ${MAX_COMMANDS} commands.`)
    this.depth += 1
    // The words stand for the command, as its node does elsewhere.
    const before = this.reliedCount
    const isProven = this.settle(words, provesCommandWords(words, this), words[0]!, before)
    this.depth -= 1
    return isProven
  }

  provesScript(script: ParsedScript | undefined): boolean {
    if (script === undefined) return this.taint('A part of it is no complete shell command.')
    return this.provesStatements(script.commands)
  }

  private provesStatements(statements: readonly Statement[]): boolean {
    if (this.depth >= MAX_DEPTH) return this.taint('It is nested too deeply.')
    this.depth += 1
    let areProven = true
    for (let at = 0; at < statements.length; at++)
      areProven = this.provesNode(statements[at]!.command) && areProven
    this.depth -= 1
    return areProven
  }

  private deeper(look: () => boolean): boolean {
    if (this.depth >= MAX_DEPTH) return this.taint('It is nested too deeply.')
    this.depth += 1
    const isProven = look()
    this.depth -= 1
    return isProven
  }

  private provesList(list: CompoundList): boolean {
    return this.provesStatements(list.commands)
  }

  private provesNode(node: Node): boolean {
    switch (node.type) {
      case 'Command':
        return this.provesCommand(node)
      case 'Pipeline':
      case 'AndOr': {
        const { commands } = node
        let areProven = true
        for (let at = 0; at < commands.length; at++) areProven = this.provesNode(commands[at]!) && areProven
        return areProven
      }
      case 'Subshell':
      case 'BraceGroup':
        return this.provesList(node.body)
      case 'If':
        return this.provesIf(node)
      case 'While':
        return every(this.provesList(node.clause), this.provesList(node.body))
      case 'For':
        if (!isOwnVariable(node.name.text))
          this.taint(`The loop sets the variable ${node.name.text}, which can change what other commands do.`)
        return every(
          isOwnVariable(node.name.text),
          this.provesWords(node.wordlist ?? []),
          this.provesList(node.body),
        )
      case 'Case':
        return this.provesCase(node)
      case 'TestCommand':
        return provesTest(node.expression, this)
      case 'Redirected':
        return every(this.provesNode(node.command), this.provesRedirects(node.redirects))
      case 'Function':
        return this.taint(`It defines the function ${node.name.text}, so that names may mean something else.`)
      case 'ArithmeticCommand':
      case 'ArithmeticFor':
        return this.taint('Arithmetic may set variables and run commands.')
      case 'Coproc':
      case 'Select':
        return this.taint(`It is not known what ${node.type.toLowerCase()} does.`)
    }
  }

  private provesIf(node: If): boolean {
    let areProven = every(this.provesList(node.clause), this.provesList(node.then))
    for (const { clause, then } of node.elif)
      areProven = every(this.provesList(clause), this.provesList(then), areProven)
    return node.else === undefined ? areProven : every(this.provesList(node.else), areProven)
  }

  private provesCase(node: Case): boolean {
    let areProven = provesWord(node.word, this)
    for (const item of node.items)
      areProven = every(this.provesWords(item.pattern), this.provesList(item.body), areProven)
    return areProven
  }

  private provesWords(words: readonly Word[]): boolean {
    let areProven = true
    for (const word of words) areProven = provesWord(word, this) && areProven
    return areProven
  }

  private provesRedirects(redirects: readonly Redirection[]): boolean {
    let areProven = true
    for (const redirect of redirects) areProven = provesRedirect(redirect, this) && areProven
    return areProven
  }

  private provesCommand(command: Command): boolean {
    this.commandCount += 1
    if (this.commandCount > MAX_COMMANDS) return this.taint(`It has more than ${MAX_COMMANDS} commands.`)
    const { name, prefix, suffix } = command
    if (name === undefined) return this.provesAssignments(prefix)

    const before = this.reliedCount
    const first = toArgument(name, this)
    if (typeof first !== 'string') return this.taint(`What ${name.text} would run is not known.`)
    // Allocated with the right size: a growing array takes several times the space.
    // oxlint-disable-next-line no-new-array
    const args = new Array<Argument>(suffix.length + 1)
    args[0] = first
    let count = 1
    let isProven = prefix.length === 0 || this.provesPrefix(prefix, first)
    for (let at = 0; at < suffix.length; at++) {
      const item = suffix[at]!
      if (item.type === 'Word') {
        const argument = toArgument(item, this)
        if (argument === undefined) isProven = false
        else args[count++] = argument
      } else if (item.type === 'Assignment') {
        isProven = this.taint(`${first} sets the variable ${item.name}.`)
      } else {
        isProven = provesRedirect(item, this) && isProven
      }
    }
    if (count < args.length) args.length = count
    return this.settle(command, isProven && provesCommandWords(args, this), first, before)
  }

  private settle(command: object, isProven: boolean, name: string, before: number): boolean {
    if (this.reliedCount > before) {
      if (this.relying === NONE) this.relying = [command]
      else this.relying.push(command)
    }
    if (!isProven) {
      if (shellState.has(name)) this.taint(`${name} can change what the commands around it do.`)
    } else if (this.proven === NONE) this.proven = [command]
    else this.proven.push(command)
    return isProven
  }

  /** The parts before a command's name: redirects and environment variables. */
  private provesPrefix(prefix: Command['prefix'], name: string): boolean {
    let isProven = true
    for (const item of prefix) {
      if (item.type !== 'Assignment') isProven = provesRedirect(item, this) && isProven
      else isProven = this.provesEnvironment(item, name) && isProven
    }
    return isProven
  }

  private provesEnvironment(item: Assignment, command: string): boolean {
    const { value } = item
    if (value.type === 'Word' && item.index === undefined && !item.append) {
      const argument = toArgument(value, this)
      if (argument === undefined) return false
      if (isOwnVariable(item.name)) return true
      if (typeof argument === 'string' && isHarmlessEnvironment(item.name, argument)) return true
      // For this one command it only sets the separators of words.
      if (item.name === 'IFS' && command === 'read') return true
    }
    return this.fail(`${item.name} can change what ${command} does.`)
  }

  private provesAssignments(items: Command['prefix']): boolean {
    let isProven = items.length > 0
    for (const item of items) {
      if (item.type !== 'Assignment') isProven = provesRedirect(item, this) && isProven
      else if (item.value.type !== 'Word' || item.index !== undefined || !isOwnVariable(item.name))
        isProven = this.taint(`It sets the variable ${item.name}, which can change what other commands do.`)
      else isProven = provesWord(item.value, this) && isProven
    }
    return isProven
  }
}

/** All are proven before the results are combined: an early failure must not hide a command from the walk. */
function every(...results: readonly boolean[]): boolean {
  return results.every((result) => result)
}
