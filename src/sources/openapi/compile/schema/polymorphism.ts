import { isObject } from '../../../../platform/json/is-object.js'
import type { Located, References, Target } from '../../document/references.js'

type JsonObject = Readonly<Record<string, unknown>>

/** What a discriminator says: which value of a property belongs to which schema. */
export interface Polymorphism {
  /** The schemas that extend a schema which has a discriminator and no list of alternatives. */
  subtypesOf(target: Target): readonly Subtype[]
  /** The value of the discriminator for one of the alternatives of a schema. */
  tagOf(alternative: Located, schema: JsonObject): JsonObject
}

export interface Subtype {
  readonly target: Target
  /** The value of the discriminator. */
  readonly tag: JsonObject
}

/** More alternatives would hide the rest of the input. */
const MAX_SUBTYPES = 12

export function createPolymorphism({
  references,
  root,
}: {
  references: References
  root: Located
}): Polymorphism {
  const known = new Map<string, readonly Subtype[]>()
  let extending: ReadonlyMap<string, readonly Named[]> | undefined

  /** The schemas that are composed of another one, by its key. */
  function extensions(): ReadonlyMap<string, readonly Named[]> {
    return (extending ??= collectExtensions(references, root))
  }

  /** As many as are needed to see that there are too many. */
  function descendants(key: string): Named[] {
    const all = new Map<string, Named>()
    const open = [key]
    for (let next = open.pop(); next !== undefined && all.size <= MAX_SUBTYPES; next = open.pop())
      for (const each of extensions().get(next) ?? []) {
        if (all.has(each.target.key) || each.target.key === key) continue
        all.set(each.target.key, each)
        open.push(each.target.key)
      }
    return [...all.values()]
  }

  /** The values that a mapping gives to a schema. */
  function mappedNames({ mapping }: JsonObject, key: string, base: string): string[] {
    if (!isObject(mapping)) return []
    return Object.entries(mapping).flatMap(([name, value]) => {
      if (typeof value !== 'string') return []
      const target = /[#/.]/.test(value)
        ? references.find(value, base)
        : references.find(`#/components/schemas/${value}`, root.base)
      return target?.key === key ? [name] : []
    })
  }

  function findSubtypes(target: Target): Subtype[] {
    const discriminator = discriminatorOf(target.value)
    const found = discriminator ? descendants(target.key) : []
    if (!discriminator || found.length > MAX_SUBTYPES) return []
    return found.map(({ name, target: subtype }) => {
      const mapped = mappedNames(discriminator.said, subtype.key, target.base)
      const own = isObject(subtype.value) ? subtype.value['x-ms-discriminator-value'] : undefined
      const names = mapped.length > 0 ? mapped : [typeof own === 'string' ? own : name]
      return { target: subtype, tag: tagFor(discriminator.property, names) }
    })
  }

  return {
    subtypesOf(target) {
      let subtypes = known.get(target.key)
      if (!subtypes) known.set(target.key, (subtypes = findSubtypes(target)))
      return subtypes
    },
    tagOf({ value, base }, { discriminator }) {
      if (!isObject(discriminator) || typeof discriminator['propertyName'] !== 'string') return {}
      const property = discriminator['propertyName']
      const reference = isObject(value) ? value['$ref'] : undefined
      const target = typeof reference === 'string' ? references.find(reference, base) : undefined
      if (!target || isTagged(target.value, property)) return {}
      const mapped = mappedNames(discriminator, target.key, base)
      return tagFor(property, mapped.length > 0 ? mapped : [lastName(target.key)])
    },
  }
}

interface Named {
  readonly name: string
  readonly target: Target
}

function collectExtensions(references: References, root: Located): Map<string, Named[]> {
  const all = new Map<string, Named[]>()
  const { components, definitions } = isObject(root.value) ? root.value : {}
  const [folder, schemas] = isObject(components)
    ? ['components/schemas', components['schemas']]
    : ['definitions', definitions]
  for (const [name, schema] of Object.entries(isObject(schemas) ? schemas : {})) {
    if (!isObject(schema) || !Array.isArray(schema['allOf'])) continue
    const pointer = name.replaceAll('~', '~0').replaceAll('/', '~1')
    const target = references.find(`#/${folder}/${encodeURIComponent(pointer)}`, root.base)
    for (const branch of target ? schema['allOf'] : []) {
      const reference: unknown = isObject(branch) ? branch['$ref'] : undefined
      const base = typeof reference === 'string' ? references.find(reference, target!.base) : undefined
      if (!base) continue
      const known = all.get(base.key) ?? []
      known.push({ name, target: target! })
      all.set(base.key, known)
    }
  }
  return all
}

/** A discriminator that is not beside a list of alternatives. In 2.0 it is the name of the property alone. */
function discriminatorOf(value: unknown): { property: string; said: JsonObject } | undefined {
  if (!isObject(value) || value['oneOf'] !== undefined || value['anyOf'] !== undefined) return undefined
  const { discriminator } = value
  if (typeof discriminator === 'string') return { property: discriminator, said: {} }
  if (!isObject(discriminator) || typeof discriminator['propertyName'] !== 'string') return undefined
  return { property: discriminator['propertyName'], said: discriminator }
}

function tagFor(property: string, names: readonly string[]): JsonObject {
  return { properties: { [property]: names.length === 1 ? { const: names[0] } : { enum: names } } }
}

/** Whether a schema says itself which value the property has. */
function isTagged(value: unknown, name: string): boolean {
  const properties = isObject(value) ? value['properties'] : undefined
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  return isObject(property) && (property['const'] !== undefined || property['enum'] !== undefined)
}

function lastName(key: string): string {
  return key
    .slice(key.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}
