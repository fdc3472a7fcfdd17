import { isObject } from '../../../platform/json/is-object.js'
import { walkObjects } from './walk-objects.js'

/** A part of a document, with the address that its relative references start from. */
export interface Located {
  readonly value: unknown
  readonly base: string
}

/** A part that a reference leads to, under one name for all references to it. */
export interface Target extends Located {
  /** The address of the document and a JSON Pointer, such as `file:///api.yaml#/components/schemas/Pet`. */
  readonly key: string
}

export interface References {
  /** Where a `$ref` leads, after one step; undefined where there is nothing. */
  find(reference: string, base: string): Target | undefined
  /** Follows `$ref` from part to part. Undefined where it ends nowhere or runs in a circle. */
  follow(part: Located): Located | undefined
}

/** Pointers that lead through references which have such pointers again. */
const MAX_NESTED = 50

/** Resolves references between documents that have been loaded, by address. */
export function createReferences(documents: ReadonlyMap<string, unknown>): References {
  /** By base and reference: most references occur many times. */
  const found = new Map<string, Map<string, Target | null>>()
  const ends = new Map<string, Located | null>()
  const anchors = new Map<unknown, ReadonlyMap<string, unknown>>()
  let embedded: ReadonlyMap<string, Embedded> | undefined
  let nested = 0

  function find(reference: string, base: string): Target | undefined {
    let known = found.get(base)
    if (!known) found.set(base, (known = new Map()))
    let target = known.get(reference)
    if (target === undefined) {
      // A pointer that leads through itself finds nothing.
      known.set(reference, null)
      target = nested < MAX_NESTED ? lookAll(reference, base) : null
      known.set(reference, target)
    }
    return target ?? undefined
  }

  function lookAll(reference: string, base: string): Target | null {
    const absolute = absoluteReference(reference, base)
    nested++
    const target = absolute === undefined ? undefined : look(absolute, reference)
    nested--
    return target ?? fromOutside(reference, base) ?? null
  }

  function look(absolute: string, reference: string): Target | undefined {
    const mark = absolute.indexOf('#')
    const address = absolute.slice(0, mark)
    const raw = reference.slice(reference.indexOf('#') + 1)
    const fragments = [absolute.slice(mark + 1), ...(raw.startsWith('/') ? [raw] : [])]
    const resource = resourceAt(address)
    for (const fragment of resource ? fragments : []) {
      const part = partIn(resource!, fragment)
      if (part) return { ...part, key: `${resource!.base}#${fragment}` }
    }
    return undefined
  }

  /** A document, or a schema with an `$id`. */
  function resourceAt(address: string): Located | undefined {
    const document = documents.get(address)
    if (document !== undefined) return { value: document, base: baseOf(document, address) }
    const schema = embeddedAt(address)
    return schema && { value: schema.part, base: address }
  }

  function embeddedAt(address: string): Embedded | undefined {
    embedded ??= collectEmbedded(documents)
    return embedded.get(address)
  }

  /** Many documents use `$id` as a label: references beside it then start from the document. */
  function fromOutside(reference: string, base: string): Target | undefined {
    const outside = documents.has(base) ? undefined : embeddedAt(base)
    return outside && find(reference, outside.document)
  }

  function partIn(resource: Located, fragment: string): Located | undefined {
    if (fragment === '' || fragment.startsWith('/')) return atPointer(resource, fragment)
    let known = anchors.get(resource.value)
    if (!known) anchors.set(resource.value, (known = collectAnchors(resource.value)))
    const value = known.get(fragment)
    return value === undefined ? undefined : { value, base: resource.base }
  }

  /** Pointers of some documents lead through references. */
  function atPointer(start: Located, pointer: string): Located | undefined {
    let part: Located = start
    for (const token of pointer.split('/').slice(1)) {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
      const holder = hasMember(part.value, name) ? part : follow(part)
      if (!holder || !hasMember(holder.value, name)) return undefined
      part = { value: (holder.value as Record<string, unknown>)[name], base: holder.base }
    }
    return part.value === undefined ? undefined : part
  }

  function follow(part: Located): Located | undefined {
    const passed = new Set<string>()
    let end: Located | null = part
    while (end && isObject(end.value) && typeof end.value['$ref'] === 'string') {
      const next = find(end.value['$ref'], end.base)
      if (!next || passed.has(next.key)) end = null
      else {
        const known = ends.get(next.key)
        passed.add(next.key)
        end = known === undefined ? next : known
        if (known !== undefined) break
      }
    }
    for (const key of passed) ends.set(key, end)
    return end ?? undefined
  }

  return { find, follow }
}

/** The address that a document's references start from: since 3.2, it can name itself. */
export function baseOf(document: unknown, address: string): string {
  const self = isObject(document) ? document['$self'] : undefined
  if (typeof self !== 'string' || !URL.canParse(self, address)) return address
  const url = new URL(self, address)
  url.hash = ''
  return url.href
}

/** An absolute reference with a fragment; undefined where it cannot be read. */
export function absoluteReference(reference: string, base: string): string | undefined {
  if (reference.startsWith('#')) return `${base}#${decode(reference.slice(1))}`
  try {
    const url = new URL(reference, base)
    const fragment = decode(url.hash.slice(1))
    url.hash = ''
    return `${url.href}#${fragment}`
  } catch {
    return undefined
  }
}

function hasMember(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false
  return !Array.isArray(value) || name !== 'length'
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

interface Embedded {
  readonly part: unknown
  /** The address of the document that it is in. */
  readonly document: string
}

/** Schemas with an `$id`, by address; looked for only where a reference needs them. */
function collectEmbedded(documents: ReadonlyMap<string, unknown>): Map<string, Embedded> {
  const all = new Map<string, Embedded>()
  for (const [address, value] of documents) {
    const base = baseOf(value, address)
    walkObjects(value, (part) => {
      const id = typeof part['$id'] === 'string' ? idOf(part['$id'], base) : undefined
      if (id !== undefined && !all.has(id)) all.set(id, { part, document: base })
    })
  }
  return all
}

/** The address that an `$id` gives to a schema. */
export function idOf(id: string, base: string): string | undefined {
  if (!URL.canParse(id, base)) return undefined
  const url = new URL(id, base)
  url.hash = ''
  return url.href
}

function collectAnchors(resource: unknown): Map<string, unknown> {
  const all = new Map<string, unknown>()
  walkObjects(resource, (part) => {
    for (const anchor of [part['$anchor'], part['$dynamicAnchor']])
      if (typeof anchor === 'string' && !all.has(anchor)) all.set(anchor, part)
  })
  return all
}
