import { resolve } from 'node:path'
import type { GatherContext } from '../commands/gather-context.js'
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
  /** There are more arguments, or deeper ones, than are searched. */
  readonly isTooMuch: boolean
}

const NOTHING: FoundArguments = Object.freeze({ paths: [], isTooMuch: false })

/** Paths in arguments that are not declared: found by name, by schema, and by what a text means on this machine. */
export function gatherArguments(
  { fields, arguments: reach }: RuleTool,
  input: unknown,
  context: GatherContext,
): FoundArguments {
  if (reach === undefined || typeof input !== 'object' || input === null) return NOTHING
  const search = new ArgumentSearch(reach, context, reach.walks || asksToWalk(input))
  search.members(input, UNNAMED, { depth: 0, skip: declaredIn(fields) })
  // Paths on another machine matter only to rules.
  if (reach.runs === 'elsewhere' && !context.hasPathRules) search.isTooMuch = false
  return search.paths.length === 0 && !search.isTooMuch ? NOTHING : search
}

/** Whether an input can name nothing: it is flat, without texts, and no name of a member is a path. A quick look. */
export function namesNothing(input: unknown): boolean {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
  for (const key in input) {
    const value: unknown = (input as Record<string, unknown>)[key]
    if (typeof value === 'string' || (typeof value === 'object' && value !== null)) return false
    if (mayBePath(key)) return false
  }
  return true
}

/** Whether the name of a member may be a path, as in a map from paths to contents. */
function mayBePath(name: string): boolean {
  // A loop rather than a regular expression: this runs for each member of each input.
  for (let at = 0; at < name.length; at++) if (IN_PATHS[name.charCodeAt(at)] === 1) return true
  return false
}

const IN_PATHS = new Uint8Array(128)
for (const sign of '/\\.%~') IN_PATHS[sign.charCodeAt(0)] = 1

/** Declared fields are gathered separately. */
function declaredIn({ paths, urls, command }: RuleFields): ReadonlySet<string> | undefined {
  if (paths.length === 0 && urls.length === 0 && !command) return undefined
  return new Set([...paths.map(({ field }) => field), ...urls, ...(command ? [command.field] : [])])
}

// A class: every call of every tool creates one, and closures for each step would cost more than the search.
class ArgumentSearch implements FoundArguments {
  readonly paths: TouchedPath[] = []
  isTooMuch = false
  /** Made for the first path: most calls name none. */
  #reals: Map<string, string> | undefined = undefined
  #indexes: Map<string, number> | undefined = undefined
  #values = 0
  #looks = 0
  readonly #reach: ArgumentReach
  readonly #context: GatherContext
  readonly #walks: boolean
  /** Search by value: not at all, only for protected paths of Toolcrib, or for everything that exists on the disk. */
  readonly #byValue: 'no' | 'own' | 'any'
  #bases: readonly string[] | undefined

  constructor(reach: ArgumentReach, context: GatherContext, walks: boolean) {
    this.#reach = reach
    this.#context = context
    this.#walks = walks
    if (reach.runs === 'elsewhere') this.#byValue = 'no'
    else this.#byValue = reach.runs === 'here' || context.hasPathRules === true ? 'any' : 'own'
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
      if (mayBePath(key))
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

  /** An argument that is run is not content, unless the tool only writes it. */
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
    const spellings = this.#isWorthIt(text, named) ? spellingsOf(text, this.#context.home) : []
    if (named.isContent) return this.#content(text, spellings, named)
    const [first] = spellings
    if (first !== undefined && isNamedPath(text, first, named.kind)) this.#addNamed(spellings, named)
    else if (named.kind === 'path' && text === '') this.#addNamed(['.'], named)
    if (this.#byValue === 'no') return
    for (const spelling of spellings) this.#look(spelling, named)
    for (const part of named.isCommand ? commandWords(text) : partsOf(text))
      if (looksLikePath(part.trim()) && (this.#byValue === 'any' || isOneName(part)))
        for (const spelling of spellingsOf(part, this.#context.home)) this.#look(spelling, named)
    if (depth < MAX_DEPTH && /^\s*[[{]/.test(text)) this.#json(text, named, depth)
  }

  /** Only as a whole: lines and lists in a text only mention names. A text of several lines is a path only from the root. */
  #content(text: string, spellings: readonly string[], named: Named): void {
    if (this.#byValue === 'no') return
    const hasLines = /[\n\r]/.test(text)
    for (const spelling of spellings) if (!hasLines || spelling.startsWith('/')) this.#look(spelling, named)
  }

  /** As written, relative to each folder of the tool, it is meant; other spellings and the caller's folder only may be. */
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

  /** For a tool in this process, only texts that look like a path are checked, unless a rule is about paths. */
  #isWorthIt(text: string, { kind }: Named): boolean {
    if (kind === 'path') return true
    if (isNetworkAddress(text) || (kind === undefined && this.#byValue === 'no')) return false
    if (this.#byValue === 'any' || kind !== undefined) return true
    return isOneName(text) || this.#context.isOwnName?.(text) === true
  }

  /** Some clients send lists and objects as JSON text, and servers parse them. */
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
    const { isOwn, exists } = this.#context
    for (const base of (this.#bases ??= this.#allBases())) {
      const seemsPath = looksLikePath(spelling)
      if (this.#byValue === 'own' && !seemsPath && this.#context.isOwnName?.(spelling) !== true) return
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
      // An absolute path is the same from every folder.
      if (spelling.startsWith('/')) return
    }
  }

  /** Whether a file may be created there: the path is explicit, is a name with an extension, or its first folder exists. */
  #mayBegin(spelling: string, base: string): boolean {
    if (isPlaced(spelling)) return true
    const slash = spelling.indexOf('/')
    return slash === -1 || this.#context.exists?.(resolve(base, spelling.slice(0, slash))) === true
  }

  #allBases(): readonly string[] {
    const { folders } = this.#reach
    const { workspace } = this.#context
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

  /** Resolved once for each path. */
  #real(path: string): string {
    this.#reals ??= new Map()
    let real = this.#reals.get(path)
    if (real === undefined) this.#reals.set(path, (real = this.#context.followLinks(path)))
    return real
  }

  /** Each path once. A path by name stays one, also if the same text appears under another name. */
  #put(touched: TouchedPath): void {
    const key = `${touched.access} ${touched.path}`
    this.#indexes ??= new Map()
    const before = this.#indexes.get(key)
    if (before === undefined) this.#indexes.set(key, this.paths.push(touched) - 1)
    else if (CERTAINTY[touched.basis!] > CERTAINTY[this.paths[before]!.basis!]) this.paths[before] = touched
  }
}

const CERTAINTY = { content: 0, value: 1, remote: 2, name: 2 } as const

/** Whether the name of an argument makes its text a path. */
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
