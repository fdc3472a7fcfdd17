import type { JsonSchema } from '../../contract/json-schema.js'

/** Dotted paths of the properties that a schema marks `visibility: "internal"`, at any depth. */
export function findInternalFields(schema: JsonSchema): string[] {
  const found = new Set<string>()
  visit(schema, '', found, 0)
  return [...found]
}

const MAX_DEPTH = 64

/** Keywords whose members are named schemas; of these, only properties add a step to the path. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

function visit(schema: unknown, path: string, found: Set<string>, depth: number): void {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return
  if (Array.isArray(schema)) {
    for (const part of schema) visit(part, path, found, depth + 1)
    return
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (typeof value !== 'object' || value === null || DATA.has(keyword)) continue
    if (NAMED.has(keyword)) visitNamed(value, { path, isProperty: keyword === 'properties' }, found, depth)
    else visit(value, path, found, depth + 1)
  }
}

/** Keywords that hold values, not schemas. */
const DATA = new Set(['const', 'enum', 'default', 'examples', 'required'])

function visitNamed(
  members: object,
  { path, isProperty }: { path: string; isProperty: boolean },
  found: Set<string>,
  depth: number,
): void {
  for (const [name, member] of Object.entries(members)) {
    const at = !isProperty ? path : path === '' ? name : `${path}.${name}`
    if (isInternal(member)) found.add(isProperty ? at : name)
    else visit(member, at, found, depth + 1)
  }
}

function isInternal(property: unknown): boolean {
  return (
    typeof property === 'object' && property !== null && Reflect.get(property, 'visibility') === 'internal'
  )
}

/** Whether a schema describes a property at this dotted path. */
export function describesField(schema: JsonSchema, path: string): boolean {
  let at: unknown = schema
  for (const name of path.split('.')) {
    const properties: unknown =
      typeof at === 'object' && at !== null ? Reflect.get(at, 'properties') : undefined
    if (typeof properties !== 'object' || properties === null || !Object.hasOwn(properties, name))
      return false
    at = Reflect.get(properties, name)
  }
  return true
}
