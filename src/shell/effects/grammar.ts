import type { Role, Usage } from './usage.js'

/** `-a` for every letter: needed far too often to build each time. */
const LETTERS: readonly string[] = Array.from({ length: 128 }, (_, code) => `-${String.fromCharCode(code)}`)

export function letterOption(code: number): string {
  return LETTERS[code] ?? ''
}

/** A usage prepared for fast look-up: always the same fields, with defaults for what the table omits. */
export class Grammar {
  readonly first: readonly Role[]
  readonly rest: Role
  readonly last: Role | undefined
  readonly here: Role | undefined
  readonly takes: ReadonlyMap<string, Role | readonly Role[]> | undefined
  readonly when: ReadonlyMap<string, Usage> | undefined
  readonly isSingleDash: boolean
  readonly remote: Usage['remote']
  readonly destroys: string | undefined
  readonly isOpenWorld: boolean
  readonly isPartial: boolean
  private readonly changed = new Map<string, Grammar>()

  constructor(private readonly usage: Usage) {
    this.first = usage.first ?? NO_ROLES
    this.rest = usage.rest ?? 'text'
    this.last = usage.last
    this.here = usage.here
    this.takes = usage.takes && new Map(Object.entries(usage.takes))
    this.when = usage.when && new Map(Object.entries(usage.when))
    this.isSingleDash = usage.isSingleDash === true
    this.remote = usage.remote
    this.destroys = usage.destroys
    this.isOpenWorld = usage.isOpenWorld === true
    this.isPartial = usage.isPartial === true
  }

  /** The role of an option's value; undefined if it takes none. */
  valueRole(option: string): Role | readonly Role[] | undefined {
    const { takes } = this
    return takes && (takes.get(option) ?? takes.get(fullName(option, takes) ?? ''))
  }

  /** How the words are read after this option. */
  after(option: string): Grammar {
    const { when, usage } = this
    const change = when && (when.get(option) ?? when.get(fullName(option, when) ?? ''))
    if (change === undefined) return this
    const known = this.changed.get(option)
    if (known !== undefined) return known
    const grammar = new Grammar({ ...usage, ...change })
    this.changed.set(option, grammar)
    return grammar
  }
}

const NO_ROLES: readonly Role[] = []
const DASH = 45
const SHORTEST = '--ab'.length

/** GNU programs accept abbreviated long options. */
function fullName(option: string, table: ReadonlyMap<string, unknown>): string | undefined {
  if (option.length < SHORTEST || option.charCodeAt(1) !== DASH) return undefined
  for (const name of table.keys()) if (name.startsWith(option)) return name
  return undefined
}

const grammars = new WeakMap<Usage, Grammar>()

export function grammarOf(usage: Usage): Grammar {
  const known = grammars.get(usage)
  if (known !== undefined) return known
  const grammar = new Grammar(usage)
  grammars.set(usage, grammar)
  return grammar
}
