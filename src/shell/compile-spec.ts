import type { CommandFamily, CommandSpec } from './command-spec.js'

export const NO_VALUE = 1
export const VALUE = 2
export const ATTACHED_VALUE = 3
export const NEXT_WORD = 4

/**
 * A spec in the form for look-up. All have one shape, which makes reading them cheap. Most are never needed in one run,
 * so expensive parts are built on first use.
 */
export class CompiledSpec {
  readonly spec: CommandSpec
  /** Known only from its manual: it was never tested. */
  readonly isFromManual: boolean
  readonly isOpenWorld: boolean
  readonly reliesOn: CommandSpec['reliesOn']
  readonly isFree: boolean
  readonly takesUnknown: boolean
  readonly optionsFirst: boolean
  readonly readsOptionFiles: boolean
  readonly isWordStyle: boolean
  readonly hasVerbs: boolean
  readonly isBare: boolean
  readonly isPersistent: boolean
  readonly opensManual: boolean
  readonly helpOf: string | undefined
  readonly hasNeeds: boolean
  /** Whether the given options are needed afterwards. */
  readonly keepsGiven: boolean
  readonly maxOperands: number
  readonly judge: CommandSpec['judge']
  readonly check: CommandSpec['check']
  readonly operand: CommandSpec['operand']
  readonly isGuarded: CommandSpec['isGuarded']
  readonly folderOf: CommandSpec['folderOf']
  /** Conditions on the values of some options. */
  readonly values: ReadonlyMap<string, (value: string) => boolean> | undefined
  #options: ReadonlyMap<string, number> | undefined
  #letters: Uint8Array | undefined
  #needs: ReadonlySet<string> | undefined
  #verbs: ReadonlyMap<string, CompiledSpec> | undefined

  constructor(spec: CommandSpec, isFromManual = false) {
    this.spec = spec
    this.isFromManual = isFromManual
    this.isOpenWorld = spec.isOpenWorld ?? false
    this.reliesOn = spec.reliesOn
    this.isFree = spec.isFree ?? false
    this.takesUnknown = spec.takesUnknown ?? false
    this.optionsFirst = spec.optionsFirst ?? false
    this.readsOptionFiles = spec.readsOptionFiles ?? false
    this.isWordStyle = spec.style === 'words'
    this.hasVerbs = spec.verbs !== undefined
    this.isBare = spec.isBare ?? false
    this.isPersistent = spec.isPersistent ?? false
    this.opensManual = spec.opensManual ?? false
    this.helpOf = spec.helpOf
    this.hasNeeds = spec.needs !== undefined
    this.keepsGiven =
      spec.check !== undefined || spec.reachesOutWith !== undefined || spec.reachesOutWithout !== undefined
    this.maxOperands = spec.operands ?? Infinity
    this.judge = spec.judge
    this.check = spec.check
    this.operand = spec.operand
    this.isGuarded = spec.isGuarded
    this.folderOf = spec.folderOf
    this.values = spec.values && new Map(Object.entries(spec.values))
  }

  get options(): ReadonlyMap<string, number> {
    return (this.#options ??= new Map(wordsOf(this.spec.options).map(toOption)))
  }

  reachesOut(given: ReadonlyMap<string, string>): boolean {
    const { reachesOutWith, reachesOutWithout } = this.spec
    const isGiven = (name: string) => given.has(name)
    return (
      wordsOf(reachesOutWith).some(isGiven) ||
      (reachesOutWithout !== undefined && !wordsOf(reachesOutWithout).some(isGiven))
    )
  }

  /** The kinds of one-letter options, by character code. */
  get letters(): Uint8Array {
    return (this.#letters ??= lettersOf(this.options))
  }

  get needs(): ReadonlySet<string> {
    return (this.#needs ??= new Set(wordsOf(this.spec.needs)))
  }

  get verbs(): ReadonlyMap<string, CompiledSpec> {
    return (this.#verbs ??= byName([this.spec.verbs ?? {}], 'tried'))
  }
}

/** Every name of every command in some families, added to a table. A duplicate name would hide a mistake, so it throws. */
export function byName(
  families: readonly CommandFamily[],
  knownFrom: 'tried' | 'manual',
  table = new Map<string, CompiledSpec>(),
): Map<string, CompiledSpec> {
  for (const family of families) {
    for (const names in family) {
      const compiled = new CompiledSpec(family[names]!, knownFrom === 'manual')
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
  if (word.endsWith(':')) return [word.slice(0, -1), NEXT_WORD]
  return [word, NO_VALUE]
}
