import { resolve } from 'node:path'
import type { GatherContext } from '../commands/gather-place.js'
import type { RuleFields, RuleTool } from '../rules/rule-tool.js'
import type { TouchedPath } from '../commands/touched.js'
import { asksToWalk, type ArgumentReach } from './argument-reach.js'
import { readName, UNNAMED, type Named, type NameKind } from './path-names.js'
import {
  commandWords,
  isNetworkAddress,
  isOneName,
  isPlaced,
  looksLikePath,
  partsOf,
  spellingsOf,
} from './path-spellings.js'

const MAX_DEPTH = 64
const MAX_VALUES = 100_000
/** How many names are looked up on the disk for one call. */
const MAX_LOOKS = 4000
const MAX_JSON_CHARS = 64 * 1024

export interface FoundArguments {
  readonly paths: readonly TouchedPath[]
  /** There are more arguments, or deeper ones, than are looked through. */
  readonly isTooMuch: boolean
}

const NOTHING: FoundArguments = Object.freeze({ paths: [], isTooMuch: false })

/** The paths among the arguments that no field declares: by their names, by the schema, and by what the texts mean here. */
export function gatherArguments(
  { fields, arguments: reach }: RuleTool,
  input: unknown,
  place: GatherContext,
): FoundArguments {
  if (reach === undefined || typeof input !== 'object' || input === null) return NOTHING
  const search = new ArgumentSearch(reach, place, reach.walks || asksToWalk(input))
  search.members(input, UNNAMED, { depth: 0, skip: declaredIn(fields) })
  // What another machine is told matters only to rules.
  if (reach.runs === 'elsewhere' && !place.hasPathRules) search.isTooMuch = false
  return search.paths.length === 0 && !search.isTooMuch ? NOTHING : search
}

/** Fields of which somebody said what they are. They are gathered as such. */
function declaredIn({ paths, urls, command }: RuleFields): ReadonlySet<string> | undefined {
  if (paths.length === 0 && urls.length === 0 && !command) return undefined
  return new Set([...paths.map(({ field }) => field), ...urls, ...(command ? [command.field] : [])])
}

// A class, as every call of every tool makes one: closures for each of its steps would cost more than the search.
class ArgumentSearch implements FoundArguments {
  readonly paths: TouchedPath[] = []
  isTooMuch = false
  readonly #reals = new Map<string, string>()
  readonly #indexes = new Map<string, number>()
  #values = 0
  #looks = 0
  readonly #reach: ArgumentReach
  readonly #place: GatherContext
  readonly #walks: boolean
  /** By value: not at all, only where it is a place of ours, or wherever something lies there. */
  readonly #byValue: 'no' | 'own' | 'any'
  #bases: readonly string[] | undefined

  constructor(reach: ArgumentReach, place: GatherContext, walks: boolean) {
    this.#reach = reach
    this.#place = place
    this.#walks = walks
    if (reach.runs === 'elsewhere') this.#byValue = 'no'
    else this.#byValue = reach.runs === 'here' || place.hasPathRules === true ? 'any' : 'own'
  }

  members(value: object, above: Named, at: { depth: number; skip?: ReadonlySet<string> | undefined }): void {
    if (at.depth > MAX_DEPTH) {
      this.isTooMuch = true
      return
    }
    const depth = at.depth + 1
    if (Array.isArray(value)) {
      for (const item of value as unknown[]) this.#value(item, above, depth)
      return
    }
    for (const key in value) {
      if (at.skip?.has(key)) continue
      const named = this.#named(key, above)
      // A map from paths to what stands in them.
      if (/[/\\.%~]/.test(key))
        this.#text(key, { ...above, kind: above.kind && 'maybe', isContent: false }, MAX_DEPTH)
      this.#value(Reflect.get(value, key), named, depth)
    }
  }

  #named(key: string, above: Named): Named {
    const own = readName(key)
    const said = this.#reach.names.kinds.get(key)
    const isContent = said === undefined && this.#isContent(own)
    const kind = said ?? own.kind ?? (isContent ? undefined : above.kind && 'maybe')
    if (kind === own.kind && isContent === own.isContent && !above.isTarget && !above.isCommand) return own
    const isCommand = own.isCommand || above.isCommand
    return { kind, isTarget: own.isTarget || above.isTarget, isCommand, isContent }
  }

  /** What is run is no content, unless the tool only writes it. */
  #isContent({ isContent, isCommand }: Named): boolean {
    const { hasPaths, writesText } = this.#reach
    return isContent && hasPaths && (!isCommand || writesText)
  }

  #value(value: unknown, named: Named, depth: number): void {
    const isText = typeof value === 'string'
    if (!isText && (typeof value !== 'object' || value === null)) return
    if (++this.#values > MAX_VALUES) this.isTooMuch = true
    else if (isText) this.#text(value, named, depth)
    else this.members(value, named, { depth })
  }

  #text(text: string, named: Named, depth: number): void {
    const spellings = this.#isWorthIt(text, named) ? spellingsOf(text, this.#place.home) : []
    if (named.isContent) return this.#content(text, spellings, named)
    const [first] = spellings
    if (first !== undefined && isNamedPath(text, first, named.kind)) this.#addNamed(spellings, named)
    else if (named.kind === 'path' && text === '') this.#addNamed(['.'], named)
    if (this.#byValue === 'no') return
    for (const spelling of spellings) this.#look(spelling, named)
    for (const part of named.isCommand ? commandWords(text) : partsOf(text))
      if (looksLikePath(part.trim()) && (this.#byValue === 'any' || isOneName(part)))
        for (const spelling of spellingsOf(part, this.#place.home)) this.#look(spelling, named)
    if (depth < MAX_DEPTH && /^\s*[[{]/.test(text)) this.#json(text, named, depth)
  }

  /** Only as a whole: lines and lists in it are text that mentions names. A text of lines is a path only from the root. */
  #content(text: string, spellings: readonly string[], named: Named): void {
    if (this.#byValue === 'no') return
    const hasLines = /[\n\r]/.test(text)
    for (const spelling of spellings) if (!hasLines || spelling.startsWith('/')) this.#look(spelling, named)
  }

  /** As written it is meant, from wherever the tool looks; other readings and the caller's folder only may be. */
  #addNamed(spellings: readonly string[], named: Named): void {
    const { runs, folders } = this.#reach
    const bases = (this.#bases ??= this.#allBases())
    for (const [index, spelling] of spellings.entries()) {
      for (const [at, base] of bases.entries()) {
        const isMeant = index === 0 && (at === 0 || at < folders.length)
        const basis = isMeant ? 'name' : 'value'
        this.#add(resolve(base, spelling), named, runs === 'elsewhere' ? 'remote' : basis)
        if (spelling.startsWith('/')) break
      }
    }
  }

  /** In this process only what looks like a path costs anything, unless a rule speaks of paths. */
  #isWorthIt(text: string, { kind }: Named): boolean {
    if (kind === 'path') return true
    if (isNetworkAddress(text) || (kind === undefined && this.#byValue === 'no')) return false
    if (this.#byValue === 'any' || kind !== undefined) return true
    return isOneName(text) || this.#place.isOwnName?.(text) === true
  }

  /** Some clients hand over lists and objects as text, and servers read them. */
  #json(text: string, named: Named, depth: number): void {
    if (text.length > MAX_JSON_CHARS) return
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return
    }
    if (typeof value === 'object' && value !== null) this.members(value, named, { depth })
  }

  #look(spelling: string, named: Named): void {
    const { isOwn, exists } = this.#place
    for (const base of (this.#bases ??= this.#allBases())) {
      const seemsPath = looksLikePath(spelling)
      if (this.#byValue === 'own' && !seemsPath && this.#place.isOwnName?.(spelling) !== true) return
      if (++this.#looks > MAX_LOOKS) {
        this.isTooMuch = true
        return
      }
      const path = resolve(base, spelling)
      if (this.#byValue === 'own' || named.isContent) {
        const isThere = this.#byValue === 'any' && exists?.(path)
        if (isThere || isOwn?.(path) || isOwn?.(this.#real(path)))
          this.#add(path, named, named.isContent ? 'content' : 'value')
      } else if (isOwn?.(path) || exists?.(path) || (seemsPath && this.#mayBegin(spelling, base))) {
        this.#add(path, named, 'value')
      }
      // From wherever it is looked at, it is the same.
      if (spelling.startsWith('/')) return
    }
  }

  /** Whether something may be made there: it says where it lies, it is a name with an ending, or its first folder is there. */
  #mayBegin(spelling: string, base: string): boolean {
    if (isPlaced(spelling)) return true
    const slash = spelling.indexOf('/')
    return slash === -1 || this.#place.exists?.(resolve(base, spelling.slice(0, slash))) === true
  }

  #allBases(): readonly string[] {
    const { folders } = this.#reach
    const { workspace } = this.#place
    return folders.length === 0 ? [workspace] : [...new Set([...folders, workspace])]
  }

  #add(path: string, { isTarget }: Named, basis: NonNullable<TouchedPath['basis']>): void {
    const { onlyReads, moves } = this.#reach
    const real = basis === 'remote' ? path : this.#real(path)
    const common = { path, real, isGlob: false, basis }
    if (onlyReads || !isTarget)
      this.#put({ ...common, access: 'read', ...(this.#walks && { walk: 'all' as const }) })
    if (!onlyReads) this.#put({ ...common, access: 'write', ...(moves && { walk: 'all' as const }) })
  }

  /** Asked of the system once for each path. */
  #real(path: string): string {
    let real = this.#reals.get(path)
    if (real === undefined) this.#reals.set(path, (real = this.#place.followLinks(path)))
    return real
  }

  /** Each once. What is a path by its name stays one, also where the same text stands under another. */
  #put(touched: TouchedPath): void {
    const key = `${touched.access} ${touched.path}`
    const before = this.#indexes.get(key)
    if (before === undefined) this.#indexes.set(key, this.paths.push(touched) - 1)
    else if (CERTAINTY[touched.basis!] > CERTAINTY[this.paths[before]!.basis!]) this.paths[before] = touched
  }
}

const CERTAINTY = { content: 0, value: 1, remote: 2, name: 2 } as const

/** Whether the name of an argument makes a path of its text. */
function isNamedPath(text: string, spelling: string, kind: NameKind | undefined): boolean {
  switch (kind) {
    case 'path':
      return true
    case 'maybe':
      return looksLikePath(spelling)
    case 'uri':
      return /^file:/i.test(text)
    case undefined:
      return false
  }
}
