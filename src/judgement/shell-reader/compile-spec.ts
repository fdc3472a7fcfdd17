import type { CommandFamily, CommandSpec } from './command-spec.js'

export const NO_VALUE = 1
export const VALUE = 2
export const ATTACHED_VALUE = 3

/**
 * A spec in the form that it is looked up in. All of these have one shape, which is what makes reading them cheap. Most
 * are never asked for in one run: what takes time to make is made when it is.
 */
export class CompiledSpec {
  readonly spec: CommandSpec
  readonly isOpenWorld: boolean
  readonly reliesOn: CommandSpec['reliesOn']
  readonly isFree: boolean
  readonly isWordStyle: boolean
  readonly hasVerbs: boolean
  readonly hasNeeds: boolean
  /** Whether it must be known afterwards what was given. */
  readonly keepsGiven: boolean
  readonly maxOperands: number
  readonly stopsAtOperand: boolean
  readonly judge: CommandSpec['judge']
  readonly check: CommandSpec['check']
  readonly operand: CommandSpec['operand']
  readonly values: CommandSpec['values']
  #options: ReadonlyMap<string, number> | undefined
  #letters: Uint8Array | undefined
  #needs: ReadonlySet<string> | undefined
  #verbs: ReadonlyMap<string, CompiledSpec> | undefined

  constructor(spec: CommandSpec) {
    this.spec = spec
    this.isOpenWorld = spec.isOpenWorld ?? false
    this.reliesOn = spec.reliesOn
    this.isFree = spec.isFree ?? false
    this.isWordStyle = spec.style === 'words'
    this.hasVerbs = spec.verbs !== undefined
    this.hasNeeds = spec.needs !== undefined
    this.keepsGiven = spec.check !== undefined || spec.reachesOutWith !== undefined
    this.maxOperands = spec.operands ?? Infinity
    this.stopsAtOperand = spec.stopsAtOperand ?? false
    this.judge = spec.judge
    this.check = spec.check
    this.operand = spec.operand
    this.values = spec.values
  }

  get options(): ReadonlyMap<string, number> {
    return (this.#options ??= new Map(wordsOf(this.spec.options).map(toOption)))
  }

  reachesOutWith(given: ReadonlyMap<string, string>): boolean {
    return wordsOf(this.spec.reachesOutWith).some((name) => given.has(name))
  }

  /** The kinds of options that are one letter, by its code. */
  get letters(): Uint8Array {
    return (this.#letters ??= lettersOf(this.options))
  }

  get needs(): ReadonlySet<string> {
    return (this.#needs ??= new Set(wordsOf(this.spec.needs)))
  }

  get verbs(): ReadonlyMap<string, CompiledSpec> {
    return (this.#verbs ??= byName([this.spec.verbs ?? {}]))
  }
}

/** Every name of every command in some families. A name that stands twice would hide a mistake, so it is refused. */
export function byName(families: readonly CommandFamily[]): Map<string, CompiledSpec> {
  const table = new Map<string, CompiledSpec>()
  for (const family of families) {
    for (const names in family) {
      const compiled = new CompiledSpec(family[names]!)
      for (const name of names.split(' ')) {
        if (table.has(name)) throw new Error(`The command ${name} is in the table twice.`)
        table.set(name, compiled)
      }
    }
  }
  return table
}

function lettersOf(options: ReadonlyMap<string, number>): Uint8Array {
  const letters = new Uint8Array(128)
  for (const [name, kind] of options) if (name.length === 2) letters[name.charCodeAt(1)] = kind
  return letters
}

function wordsOf(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(/\s+/).filter((word) => word !== '')
}

function toOption(word: string): [string, number] {
  if (word.endsWith('=')) return [word.slice(0, -1), VALUE]
  if (word.endsWith('?')) return [word.slice(0, -1), ATTACHED_VALUE]
  return [word, NO_VALUE]
}
