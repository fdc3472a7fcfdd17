import type { JsonSchema } from '../../../../contract/json-schema.js'
import { isObject } from '../../../../platform/json/is-object.js'

/** The start of a `$ref` that stands for a target which is put in later. No document can contain it. */
export const PLACEHOLDER = '\u0000'

export interface ReferredSchema {
  readonly schema: JsonSchema
  /** The keys of its references, one for each occurrence. */
  readonly references: readonly string[]
  /** Those of them whose targets apply to the same value as the schema itself. */
  readonly inPlace: readonly string[]
  /** Whether it may refuse members that no part of it names. */
  readonly isSealed: boolean
  /** Whether a part of it is left open. */
  readonly hasGaps: boolean
}

export interface CloseOptions {
  /** By key. What is not there is left open. */
  readonly kept: ReadonlyMap<string, ReferredSchema>
  /** Whether a part becomes a definition. */
  isShared(key: string): boolean
}

/** Deeper parts become definitions, so that a long chain of references is no deep schema. */
const MAX_NESTED = 10

/** Puts in what a schema refers to. */
export function closeSchema(open: ReferredSchema, options: CloseOptions): JsonSchema {
  return new Closing(open, options).close()
}

/** The keys that lead back to themselves. */
export function cyclicKeys(
  root: Pick<ReferredSchema, 'references'>,
  kept: CloseOptions['kept'],
): Set<string> {
  const cyclic = new Set<string>()
  for (const [, to] of backEdges(root.references, (key) => kept.get(key)?.references)) cyclic.add(to)
  return cyclic
}

/** The steps of a walk that lead back to where it came from. Without recursion: a chain can be long. */
function backEdges(
  start: readonly string[],
  next: (key: string) => readonly string[] | undefined,
): [from: string | undefined, to: string][] {
  const found: [string | undefined, string][] = []
  const done = new Set<string>()
  const path = new Set<string>()
  // Lists are taken from their ends: what is nearest to the start leads the walk.
  const listed = (keys: readonly string[]): string[] => [...new Set(keys)].reverse()
  const stack: { key: string | undefined; left: string[] }[] = [{ key: undefined, left: listed(start) }]
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const key = top.left.pop()
    if (key === undefined) {
      if (top.key !== undefined) {
        path.delete(top.key)
        done.add(top.key)
      }
      stack.pop()
      continue
    }
    if (path.has(key)) found.push([top.key, key])
    const following = path.has(key) || done.has(key) ? undefined : next(key)
    if (!following) continue
    path.add(key)
    stack.push({ key, left: listed(following) })
  }
  return found
}

class Closing {
  readonly #open: ReferredSchema
  readonly #options: CloseOptions
  /** References by which a schema would apply itself to the same value again, without end. */
  readonly #endless: ReadonlySet<string>
  readonly #names = new Map<string, string>()
  readonly #taken = new Set<string>()
  readonly #waiting: { name: string; key: string; target: ReferredSchema }[] = []
  #isOpen = false

  constructor(open: ReferredSchema, options: CloseOptions) {
    this.#open = open
    this.#options = options
    const roots = [...open.references, ...options.kept.keys()]
    const edges = backEdges(roots, (key) => options.kept.get(key)?.inPlace)
    this.#endless = new Set(edges.map(([from, to]) => `${from ?? ''} ${to}`))
  }

  close(): JsonSchema {
    const schema = this.#fill(this.#open.schema, { from: undefined, nested: 0 }) as JsonSchema
    const definitions: [string, JsonSchema][] = []
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      const { name, key, target } = next
      definitions.push([name, this.#fill(target.schema, { from: key, nested: 0 }) as JsonSchema])
    }
    definitions.sort(([a], [b]) => (a < b ? -1 : 1))
    const closed = definitions.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(definitions) }
    const all = [this.#open, ...this.#options.kept.values()]
    const isOpen = this.#isOpen || all.some(({ hasGaps }) => hasGaps)
    return isOpen && all.some(({ isSealed }) => isSealed)
      ? (withoutUnevaluated(closed) as JsonSchema)
      : closed
  }

  #fill(value: unknown, within: Within): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#fill(each, within))
    if (!isObject(value)) return value
    const { $ref } = value
    if (typeof $ref === 'string' && $ref.startsWith(PLACEHOLDER))
      return this.#put($ref.slice(PLACEHOLDER.length), value, within)
    const entries = Object.entries(value).map(([name, each]): [string, unknown] => {
      if (DATA.has(name)) return [name, each]
      return [name, MAPS.has(name) ? this.#fillMap(each, within) : this.#fill(each, within)]
    })
    return withoutSingleBranch(Object.fromEntries(entries))
  }

  /** An object whose members are named freely. */
  #fillMap(value: unknown, within: Within): unknown {
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.#fill(each, within)]))
  }

  #put(key: string, placeholder: Record<string, unknown>, within: Within): unknown {
    const { $ref: _ref, ...beside } = placeholder
    const siblings = this.#fill(beside, within) as Record<string, unknown>
    const target = this.#options.kept.get(key)
    if (!target || this.#endless.has(`${within.from ?? ''} ${key}`)) {
      this.#isOpen = true
      return siblings
    }
    if (this.#options.isShared(key) || within.nested >= MAX_NESTED)
      return { $ref: `#/$defs/${this.#define(key, target)}`, ...siblings }
    const inner = { from: key, nested: within.nested + 1 }
    const filled = (
      target.references.length === 0 ? target.schema : this.#fill(target.schema, inner)
    ) as JsonSchema
    const names = Object.keys(siblings)
    if (names.length === 0) return filled
    if (areJoinable(filled, siblings)) return { ...filled, ...siblings }
    return { ...siblings, allOf: [filled, ...((siblings['allOf'] as unknown[] | undefined) ?? [])] }
  }

  #define(key: string, target: ReferredSchema): string {
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const name = this.#newName(key)
    this.#names.set(key, name)
    this.#waiting.push({ name, key, target })
    return name
  }

  #newName(key: string): string {
    const last = key.slice(key.lastIndexOf('/') + 1).replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
    const base = last === '' || last === '__proto__' ? 'part' : last.slice(0, 64)
    let name = base
    for (let number = 2; this.#taken.has(name); number++) name = `${base}_${number}`
    this.#taken.add(name)
    return name
  }
}

const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const DATA = new Set(['default', 'enum', 'const'])

/** Whether two schemas of one value can be one object. */
function areJoinable(one: JsonSchema, other: JsonSchema): boolean {
  return Object.keys(other).every((name) => name === 'description' || !Object.hasOwn(one, name))
}

/** Before 3.1, documents put a reference into `allOf` only to say something beside it. */
function withoutSingleBranch(schema: Record<string, unknown>): JsonSchema {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf) || allOf.length !== 1 || !isObject(allOf[0])) return schema
  return areJoinable(allOf[0], rest) ? { ...allOf[0], ...rest } : schema
}

interface Within {
  /** The key of the part that is being filled. */
  readonly from: string | undefined
  /** How many parts it is inside of. */
  readonly nested: number
}

/** Where a part was left open, it is no longer known which members the part evaluates. */
function withoutUnevaluated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnevaluated)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      each === false && name.startsWith('unevaluated') ? [] : [[name, withoutUnevaluated(each)]],
    ),
  )
}
