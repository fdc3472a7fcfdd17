import { isKnown, tailOf, valueOf, type Arg } from '../detection/arg.js'
import { assignFrom } from '../detection/assign-from.js'
import type { Call } from '../detection/call.js'
import { resolvePath } from '../detection/resolve-path.js'
import { restore, stateOf } from '../detection/state.js'
import type { Trace } from '../detection/trace.js'
import { isHarmlessVariable, noteVariable } from '../detection/variable-effects.js'
import type { Act, Role } from './usage.js'

/** A command that runs another one, given as its last words. */
export interface Wrapper {
  /** Options without a value. After an unknown option the command may begin at two positions. */
  readonly flags?: string
  readonly takes?: string
  readonly takesTwo?: string
  /** Options whose value is a file that is overwritten. */
  readonly writes?: string
  /** Options whose value is the folder in which the command runs. */
  readonly folders?: string
  /** Words before the command, and what they are. */
  readonly before?: readonly Role[]
  /** It adds nothing of its own. */
  readonly isTransparent?: boolean
  /** The command runs in a container or on another machine. */
  readonly isElsewhere?: boolean
  /** The words are joined and passed to a shell. */
  readonly isText?: boolean
}

type Kind = 'flag' | 'text' | 'two' | 'write' | 'folder'

/** The effect of a command that runs the words behind its own options. */
export function wrap(wrapper: Wrapper): Act {
  const kinds = kindsOf(wrapper)
  const { before = [], isText, isTransparent, isElsewhere } = wrapper
  return (call, trace) => {
    const state = stateOf(trace)
    const search = new Search(call, kinds, { before, trace })
    search.from(call.from + 1, 0)
    const command = trace.commands[call.index]
    if (command && isTransparent && search.isPlain) command.isTransparent = true
    const wasElsewhere = trace.isElsewhere
    if (isElsewhere) trace.isElsewhere = true
    for (const start of search.starts) {
      if (isText) runJoined(call.args.slice(start), call.index, trace)
      else trace.engine.run(call.args, { from: start, by: call.index }, trace)
    }
    trace.isElsewhere = wasElsewhere
    restore(state, trace)
  }
}

function kindsOf({ flags, takes, takesTwo, writes, folders }: Wrapper): ReadonlyMap<string, Kind> {
  const kinds = new Map<string, Kind>()
  const add = (options: string | undefined, kind: Kind): void => {
    for (const option of options?.split(' ') ?? []) kinds.set(option, kind)
  }
  add(flags, 'flag')
  add(takes, 'text')
  add(takesTwo, 'two')
  add(writes, 'write')
  add(folders, 'folder')
  return kinds
}

const MAX_BRANCHES = 8
const VARIABLE = /^[A-Za-z_]\w*=/

/** Finds the positions where the inner command may begin: several if an option is unknown. */
class Search {
  readonly starts: number[] = []
  /** Only known options without further effects. */
  isPlain = true
  private readonly seen = new Set<number>()
  private branches = 0
  private readonly before: readonly Role[]
  private readonly trace: Trace

  constructor(
    private readonly call: Call,
    private readonly kinds: ReadonlyMap<string, Kind>,
    { before, trace }: { before: readonly Role[]; trace: Trace },
  ) {
    this.before = before
    this.trace = trace
  }

  /** From a word on, with this many of the words before the command already read. */
  from(start: number, places: number): void {
    const { args } = this.call
    let place = places
    let at = start
    for (; at < args.length; at++) {
      if (this.seen.has(at)) return
      this.seen.add(at)
      const arg = args[at]!
      const value = valueOf(arg)
      if (value === '--') {
        at += 1 + Math.max(0, this.before.length - place)
        break
      }
      if (value.startsWith('-') && value !== '-') at = this.skipOption(arg, at, place)
      else if (VARIABLE.test(value)) this.setVariable(arg, value)
      else if (place < this.before.length) noteBefore(this.before[place++]!, arg, this.trace)
      else break
    }
    if (at < args.length) this.starts.push(at)
  }

  /** The index of the last word that belongs to the option. */
  private skipOption(arg: Arg, at: number, place: number): number {
    const { args } = this.call
    const value = valueOf(arg)
    const kind = this.kinds.get(value)
    if (kind === 'flag') return at
    if (kind !== undefined) {
      this.noteValue(kind, args[at + 1] ?? '')
      return kind === 'two' ? at + 2 : at + 1
    }
    const equals = value.indexOf('=')
    const attached = this.kinds.get(equals === -1 ? value.slice(0, 2) : value.slice(0, equals))
    if (attached !== undefined && attached !== 'flag') {
      this.noteValue(attached, tailOf(arg, equals === -1 ? 2 : equals + 1))
      return at
    }
    if (/^-\d+$/.test(value) || equals !== -1 || this.isBundle(value)) return at
    // The next word may or may not be its value.
    this.isPlain = false
    if (++this.branches <= MAX_BRANCHES) this.from(at + 2, place)
    else this.trace.strict('It has too many options that are not known.')
    return at
  }

  /** `-Hn` are two flags. */
  private isBundle(value: string): boolean {
    if (value.startsWith('--')) return false
    for (let at = 1; at < value.length; at++) if (this.kinds.get(`-${value[at]}`) !== 'flag') return false
    return true
  }

  private noteValue(kind: Kind, arg: Arg): void {
    if (kind === 'write' || kind === 'folder') this.isPlain = false
    if (kind === 'write') this.trace.replace(arg)
    if (kind === 'folder') changeFolder(arg, this.trace)
  }

  private setVariable(arg: Arg, value: string): void {
    const name = value.slice(0, value.indexOf('='))
    this.isPlain &&= isHarmlessVariable(name)
    setVariable(arg, { index: this.call.index, trace: this.trace })
  }
}

function noteBefore(role: Role, arg: Arg, trace: Trace): void {
  if (role === 'read') trace.read(arg)
  else if (role === 'write') trace.write(arg)
  else if (role === 'replace') trace.replace(arg)
  else if (role === 'host') trace.host(valueOf(arg))
  else if (!isKnown(arg)) trace.incomplete('Some of its words are known only when it runs.')
}

/** A variable that only the inner command gets. */
export function setVariable(arg: Arg, { index, trace }: { index: number; trace: Trace }): void {
  const value = valueOf(arg)
  const name = value.slice(0, value.indexOf('='))
  assignFrom(arg, trace)
  if (!isHarmlessVariable(name)) noteVariable(name, tailOf(arg, name.length + 1), { trace, by: index })
}

export function changeFolder(arg: Arg, trace: Trace): void {
  const path = typeof arg === 'string' ? arg : arg.path
  trace.moveTo(trace.folders.map((folder) => ({ cwd: resolvePath(path, folder), home: trace.home })))
}

/** Only words after `--` are a command. */
export function runBehindDashes({ args, from, index }: Call, trace: Trace): void {
  const dashes = args.findIndex((arg, at) => at > from && valueOf(arg) === '--')
  if (dashes !== -1) trace.engine.run(args, { from: dashes + 1, by: index }, trace)
}

/** Words that a shell gets as one text. */
export function runJoined(args: readonly Arg[], by: number, trace: Trace): void {
  if (args.length === 0) return
  if (!args.every(isKnown)) trace.strict('It runs a text that is known only when it runs.')
  trace.engine.runText(args.map(valueOf).join(' '), by, trace)
}
