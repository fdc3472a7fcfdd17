import { isKnown, tailOf, valueOf, type Arg } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import { hostIn } from '../detection/host-in.js'
import type { Trace } from '../detection/trace.js'
import { grammarOf, letterOption, type Grammar } from './grammar.js'
import { guessProgram } from './guess-program.js'
import { looksLikePath } from './looks-like-path.js'
import type { Role, Usage } from './usage.js'

const DASH = 45
const HERE = '.'

/** Notes the effects of a command whose words are read according to `given`. */
export function applyUsage(given: Usage, call: Call, trace: Trace): void {
  applyGrammar(grammarOf(given), call, trace)
}

export function applyGrammar(given: Grammar, call: Call, trace: Trace): void {
  const grammar = given.when === undefined ? given : withOptions(given, call)
  if (grammar.destroys !== undefined) trace.destructive(grammar.destroys)
  if (grammar.isOpenWorld) trace.openWorld('It talks to other machines.')
  if (grammar.isPartial) guessProgram(undefined, call, trace)
  new Reader(grammar, call, trace).readAll()
}

/** The grammar after all options were seen: they may come after the words that they change. */
function withOptions(given: Grammar, { args, from }: Call): Grammar {
  let grammar = given
  for (let at = from + 1; at < args.length; at++) {
    const value = valueOf(args[at]!)
    if (value.charCodeAt(0) !== DASH || value.length < 2) continue
    if (value === '--') break
    if (value.charCodeAt(1) === DASH || given.isSingleDash) {
      grammar = grammar.after(nameOf(value))
      continue
    }
    for (let letter = 1; letter < value.length; letter++) {
      const option = letterOption(value.charCodeAt(letter))
      grammar = grammar.after(option)
      // The rest of the word is its value, not more options.
      if (given.takes?.has(option)) break
    }
  }
  return grammar
}

function nameOf(option: string): string {
  const end = option.indexOf('=')
  return end === -1 ? option : option.slice(0, end)
}

/** Reads the words once and gives each its role. */
class Reader {
  private at: number
  private place = 0
  private last: Arg | undefined = undefined
  private isTouching = false

  constructor(
    private readonly grammar: Grammar,
    private readonly call: Call,
    private readonly trace: Trace,
  ) {
    this.at = call.from + 1
  }

  readAll(): void {
    const { args } = this.call
    let hasEnded = false
    for (; this.at < args.length; this.at++) {
      const arg = args[this.at]!
      const value = typeof arg === 'string' ? arg : arg.value
      if (hasEnded || value.charCodeAt(0) !== DASH || value.length === 1) this.readWord(arg)
      else if (value === '--') hasEnded = true
      else this.readOption(arg, value)
    }
    const { last, place, grammar } = this
    if (last !== undefined)
      this.note(grammar.last !== undefined && place > 1 ? grammar.last : grammar.rest, last)
    if (grammar.here !== undefined && !this.isTouching) this.note(grammar.here, HERE)
  }

  private readWord(arg: Arg): void {
    const place = this.place++
    const { first, rest, last } = this.grammar
    if (place < first.length) {
      this.note(first[place]!, arg)
      // `uniq *` may be `uniq a b`.
      if (mayBeSeveral(arg)) for (const role of first.slice(place + 1)) this.note(role, arg)
      return
    }
    if (last === undefined) return this.note(rest, arg)
    if (this.last !== undefined) this.note(rest, this.last)
    this.last = arg
  }

  private readOption(arg: Arg, value: string): void {
    const { grammar } = this
    if (value.charCodeAt(1) !== DASH && !grammar.isSingleDash) return this.readLetters(arg, value)
    const equals = value.indexOf('=')
    if (equals === -1) {
      const role = grammar.valueRole(value)
      if (role !== undefined) this.readValues(role)
      return
    }
    const role = grammar.valueRole(value.slice(0, equals))
    this.note(role === undefined ? 'maybe' : oneOf(role), tailOf(arg, equals + 1))
  }

  private readLetters(arg: Arg, value: string): void {
    const { takes } = this.grammar
    for (let letter = 1; takes !== undefined && letter < value.length; letter++) {
      const role = takes.get(letterOption(value.charCodeAt(letter)))
      if (role === undefined) continue
      if (letter + 1 === value.length) return this.readValues(role)
      return this.note(oneOf(role), tailOf(arg, letter + 1))
    }
    // `-I/usr/include`: an unknown letter with its value.
    if (value.length > 2 && value.includes('/')) this.note('maybe', tailOf(arg, 2))
  }

  private readValues(role: Role | readonly Role[]): void {
    if (typeof role === 'string') {
      const value = this.call.args[++this.at]
      if (value !== undefined) this.note(role, value)
      return
    }
    for (const each of role) this.readValues(each)
  }

  private note(role: Role, arg: Arg): void {
    if (role === 'text') {
      if (typeof arg !== 'string' && !arg.isKnown)
        this.trace.incomplete('Some of its words are known only when it runs.')
      return
    }
    if (role !== 'command' && role !== 'host' && role !== 'maybe') this.isTouching = true
    const { remote } = this.grammar
    if (remote !== undefined && isElsewhere(arg, remote, this.trace)) return
    noteRole(role, arg, this.call.index, this.trace)
  }
}

/** A wildcard may become more than one word. */
function mayBeSeveral(arg: Arg): boolean {
  return typeof arg !== 'string' && !arg.isLiteral && /(?<!\\)[*?[]/.test(arg.path)
}

function oneOf(role: Role | readonly Role[]): Role {
  return typeof role === 'string' ? role : (role[0] ?? 'text')
}

/** `host:path` and `user@host:path`, but not `./a:b`. */
function isElsewhere(arg: Arg, kind: 'hosts' | 'containers', trace: Trace): boolean {
  const value = valueOf(arg)
  const colon = value.indexOf(':')
  if (colon < 1 || value.lastIndexOf('/', colon) !== -1) return false
  if (hostIn(value) === undefined) return false
  if (kind === 'hosts') trace.host(value)
  return true
}

function noteRole(role: Role, arg: Arg, by: number, trace: Trace): void {
  switch (role) {
    case 'text':
      return
    case 'maybe':
      if (looksLikePath(valueOf(arg))) trace.read(arg)
      return
    case 'read':
      return trace.read(arg)
    case 'write':
      trace.write(arg)
      return
    case 'replace':
      return trace.replace(arg)
    case 'edit':
      trace.read(arg)
      return trace.replace(arg)
    case 'delete':
      return trace.remove(arg)
    case 'move':
      trace.read(arg)
      return trace.remove(arg)
    case 'script':
      return trace.script(arg)
    case 'command':
      if (!isKnown(arg)) trace.strict('It runs a text that is known only when it runs.')
      return trace.engine.runText(valueOf(arg), by, trace)
    case 'host':
      if (!isKnown(arg)) trace.incomplete('Some of its words are known only when it runs.')
      return trace.host(valueOf(arg))
  }
}
