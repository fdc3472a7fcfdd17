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
import { sayWords, type Argument } from './argument.js'
import { isHarmlessEnvironment, isOwnVariable } from './harmless-names.js'
import { parseCommand } from './parse-command.js'
import { provesCommandWords } from './prove-command-words.js'
import { provesWord } from './prove-part.js'
import { provesRedirect } from './prove-redirect.js'
import { provesTest } from './prove-test.js'
import type { Prover } from './prover.js'
import { toArgument } from './to-argument.js'

const MAX_DEPTH = 20
const MAX_COMMANDS = 500

/** Commands of the shell itself that can change what the rest of a script means. */
const shellState = new Set(
  `alias unalias set shopt export unset eval source . exec declare typeset local readonly enable hash trap builtin
    command read mapfile readarray getopts printf let bind complete compgen compopt cd pushd popd test [ shift`.split(
    /\s+/,
  ),
)

type Node = Statement['command']

/** One walk over a parsed command line. It goes on after a failure: other commands may still be proven. */
export class ProofWalk implements Prover {
  isTainted = false
  isOpenWorld = false
  proven: Command[] | undefined
  #reason = ''
  #reasonArgs: readonly Argument[] = []
  #reasonEnd = 0
  #hasMoved = false
  #hasTrusted = false
  #depth = 0
  #commandCount = 0
  /** Words are what they say and need no closer look. */
  readonly #isPlain: boolean

  constructor(isPlain: boolean) {
    this.#isPlain = isPlain
  }

  /** Why it is not proven. Put together when it is asked for: to make the sentence can take longer than to find it out. */
  get reason(): string {
    return sayWords(this.#reasonArgs, this.#reasonEnd) + this.#reason
  }

  fail(reason: string): false {
    return this.failAt(this.#reasonArgs, this.#reasonEnd, reason)
  }

  failAt(args: readonly Argument[], end: number, reason: string): false {
    if (this.#reason !== '') return false
    this.#reason = reason
    this.#reasonArgs = args
    this.#reasonEnd = end
    return false
  }

  taint(reason: string): false {
    this.isTainted = true
    return this.fail(reason)
  }

  reachesOut(): void {
    this.isOpenWorld = true
  }

  moves(): void {
    this.#hasMoved = true
  }

  trustsPlace(): void {
    this.#hasTrusted = true
  }

  /** Whether a command that reads its folder's configuration would run in a folder that the script chose. */
  isAstray(): boolean {
    if (!this.#hasMoved || !this.#hasTrusted) return false
    this.taint('It goes to another folder and would use the configuration it finds there.')
    return true
  }

  provesArguments(args: readonly Argument[]): boolean {
    return this.#deeper(() => provesCommandWords(args, this))
  }

  provesText(text: string): boolean {
    const parsed = parseCommand(text)
    return parsed.ok ? this.provesScript(parsed.script) : this.taint(parsed.problem)
  }

  provesScript(script: ParsedScript | undefined): boolean {
    if (script === undefined || (script.errors && script.errors.length > 0))
      return this.taint('A part of it is no complete shell command.')
    return this.#provesStatements(script.commands)
  }

  #provesStatements(statements: readonly Statement[]): boolean {
    if (this.#depth >= MAX_DEPTH) return this.taint('It is nested too deeply.')
    this.#depth += 1
    let areProven = true
    for (const statement of statements) areProven = this.#provesNode(statement.command) && areProven
    this.#depth -= 1
    return areProven
  }

  #deeper(look: () => boolean): boolean {
    if (this.#depth >= MAX_DEPTH) return this.taint('It is nested too deeply.')
    this.#depth += 1
    const isProven = look()
    this.#depth -= 1
    return isProven
  }

  #provesList(list: CompoundList): boolean {
    return this.#provesStatements(list.commands)
  }

  #provesNode(node: Node): boolean {
    switch (node.type) {
      case 'Command':
        return this.#provesCommand(node)
      case 'Pipeline':
      case 'AndOr': {
        let areProven = true
        for (const command of node.commands) areProven = this.#provesNode(command) && areProven
        return areProven
      }
      case 'Subshell':
      case 'BraceGroup':
        return this.#provesList(node.body)
      case 'If':
        return this.#provesIf(node)
      case 'While':
        return every(this.#provesList(node.clause), this.#provesList(node.body))
      case 'For':
        if (!isOwnVariable(node.name.text)) this.taint(`The loop sets ${node.name.text}.`)
        return every(
          isOwnVariable(node.name.text),
          this.#provesWords(node.wordlist ?? []),
          this.#provesList(node.body),
        )
      case 'Case':
        return this.#provesCase(node)
      case 'TestCommand':
        return provesTest(node.expression, this)
      case 'Redirected':
        return every(this.#provesNode(node.command), this.#provesRedirects(node.redirects))
      case 'Function':
        return this.taint(`The function ${node.name.text} is defined.`)
      case 'ArithmeticCommand':
      case 'ArithmeticFor':
        return this.taint('Arithmetic may set variables and run commands.')
      case 'Coproc':
      case 'Select':
        return this.taint(`It is not known what ${node.type.toLowerCase()} does.`)
    }
  }

  #provesIf(node: If): boolean {
    let areProven = every(this.#provesList(node.clause), this.#provesList(node.then))
    for (const { clause, then } of node.elif)
      areProven = every(this.#provesList(clause), this.#provesList(then), areProven)
    return node.else === undefined ? areProven : every(this.#provesList(node.else), areProven)
  }

  #provesCase(node: Case): boolean {
    let areProven = provesWord(node.word, this)
    for (const item of node.items)
      areProven = every(this.#provesWords(item.pattern), this.#provesList(item.body), areProven)
    return areProven
  }

  #provesWords(words: readonly Word[]): boolean {
    let areProven = true
    for (const word of words) areProven = provesWord(word, this) && areProven
    return areProven
  }

  #provesRedirects(redirects: readonly Redirection[]): boolean {
    let areProven = true
    for (const redirect of redirects) areProven = provesRedirect(redirect, this) && areProven
    return areProven
  }

  #provesCommand(command: Command): boolean {
    this.#commandCount += 1
    if (this.#commandCount > MAX_COMMANDS) return this.taint(`It has more than ${MAX_COMMANDS} commands.`)
    const { name, prefix, suffix } = command
    if (name === undefined) return this.#provesAssignments(prefix)

    const first = this.#isPlain ? name.text : toArgument(name, this)
    if (typeof first !== 'string') return this.taint(`What ${name.text} would run is not known.`)
    const args: Argument[] = [first]
    let isProven = prefix.length === 0 || this.#provesPrefix(prefix, first)
    for (const item of suffix) {
      if (item.type === 'Word') {
        const argument = this.#isPlain ? item.text : toArgument(item, this)
        if (argument === undefined) isProven = false
        else args.push(argument)
      } else if (item.type === 'Assignment') {
        isProven = this.taint(`${first} sets ${item.name}.`)
      } else {
        isProven = provesRedirect(item, this) && isProven
      }
    }
    isProven = isProven && provesCommandWords(args, this)
    if (isProven) this.#keep(command)
    else if (shellState.has(first)) this.taint(`${first} can change what the rest means.`)
    return isProven
  }

  #keep(command: Command): void {
    if (this.proven === undefined) this.proven = [command]
    else this.proven.push(command)
  }

  /** What stands before a command's name: redirects, and what is put into its environment. */
  #provesPrefix(prefix: Command['prefix'], name: string): boolean {
    let isProven = true
    for (const item of prefix) {
      if (item.type !== 'Assignment') isProven = provesRedirect(item, this) && isProven
      else isProven = this.#provesEnvironment(item, name) && isProven
    }
    return isProven
  }

  #provesEnvironment(item: Assignment, command: string): boolean {
    const { value } = item
    if (value.type === 'Word' && item.index === undefined && !item.append) {
      const argument = toArgument(value, this)
      if (argument === undefined) return false
      if (isOwnVariable(item.name)) return true
      if (typeof argument === 'string' && isHarmlessEnvironment(item.name, argument)) return true
      // For this one command it only says where words are split.
      if (item.name === 'IFS' && command === 'read') return true
    }
    return this.fail(`${item.name} can change what ${command} does.`)
  }

  #provesAssignments(items: Command['prefix']): boolean {
    let isProven = items.length > 0
    for (const item of items) {
      if (item.type !== 'Assignment') isProven = provesRedirect(item, this) && isProven
      else if (item.value.type !== 'Word' || item.index !== undefined || !isOwnVariable(item.name))
        isProven = this.taint(`The variable ${item.name} is set.`)
      else isProven = provesWord(item.value, this) && isProven
    }
    return isProven
  }
}

/** All are looked at before one is asked for: an early failure must not hide a command from the walk. */
function every(...results: readonly boolean[]): boolean {
  return results.every((result) => result)
}
