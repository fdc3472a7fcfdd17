import type { JsonSchema } from '../../../../contract/json-schema.js'
import { isObject } from '../../../../platform/json/is-object.js'
import type { OpenSchema, Schemas, SchemaVariant } from './create-schemas.js'

/** Up to this size, a schema is shown whole, with its descriptions. */
const FULL_CHARS = { input: 48_000, output: 6_000 } as const
/** A larger one loses its descriptions, and then the parts that are furthest from its root. */
const MOST_CHARS = { input: 48_000, output: 16_000 } as const
const MAX_LEVELS = 24

interface FitOptions {
  readonly schemas: Schemas
  readonly use: SchemaVariant['use']
}

/**
 * A schema that a model can read: whole where it is not too long, else without descriptions, else open below some level.
 * A part that is left open allows anything; the API checks it.
 */
export function fitSchema(
  make: (variant: SchemaVariant) => OpenSchema,
  { schemas, use }: FitOptions,
): JsonSchema {
  const whole = { use, isBare: false, maxSize: FULL_CHARS[use] }
  const full = make(whole)
  const closed = schemas.isWithin(full, whole) ? schemas.close(full, whole) : undefined
  if (closed && isWithin(closed, FULL_CHARS[use])) return closed
  const maxSize = MOST_CHARS[use]
  // Sizes are estimates; a little room saves most cuts.
  const bare = { use, isBare: true, maxSize: 0.9 * maxSize }
  return cut(schemas.close(make(bare), bare), maxSize)
}

const isWithin = (schema: JsonSchema, maxSize: number): boolean => JSON.stringify(schema).length <= maxSize

function cut(schema: JsonSchema, maxSize: number): JsonSchema {
  if (isWithin(schema, maxSize)) return schema
  let [shorter, tooLong] = [-1, MAX_LEVELS + 1]
  let best: JsonSchema | undefined
  while (tooLong - shorter > 1) {
    const levels = Math.floor((shorter + tooLong) / 2)
    const made = withUsedDefinitions(atMost(schema, levels))
    if (isWithin(made, maxSize)) [shorter, best] = [levels, made]
    else tooLong = levels
  }
  return best ?? membersOnly(schema, maxSize)
}

const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs'])
const DATA = new Set(['default', 'enum', 'const', 'required', 'dependentRequired'])
/** With parts that are open, these would refuse what the document allows. */
const NEGATIONS = new Set([
  'not',
  'if',
  'then',
  'else',
  'maxContains',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/** The schema down to a level; below it, only types are said. */
function atMost(schema: JsonSchema, levels: number): JsonSchema {
  const below = (value: unknown): unknown => {
    if (!isObject(value)) return value
    return levels === 0 ? typeOnly(value) : atMost(value, levels - 1)
  }
  const entries = Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
    if (NEGATIONS.has(name)) return []
    if (DATA.has(name)) return [[name, value]]
    if (Array.isArray(value)) return [[name, value.map(below)]]
    if (!isObject(value)) return [[name, value]]
    if (!MAPS.has(name)) return [[name, below(value)]]
    return [[name, Object.fromEntries(Object.entries(value).map(([key, each]) => [key, below(each)]))]]
  })
  return Object.fromEntries(entries)
}

function typeOnly({ type, description }: JsonSchema): JsonSchema {
  return {
    ...(type !== undefined && { type }),
    ...(typeof description === 'string' && { description }),
  }
}

/** What was cut off may have been the only use of a definition. */
function withUsedDefinitions(schema: JsonSchema): JsonSchema {
  const { $defs, ...rest } = schema
  if (!isObject($defs)) return schema
  const used = new Map<string, unknown>()
  const open: unknown[] = [rest]
  while (open.length > 0) {
    const text = JSON.stringify(open.pop())
    for (const [, name = ''] of text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
      if (used.has(name)) continue
      used.set(name, $defs[name])
      open.push($defs[name])
    }
  }
  return used.size === 0 ? rest : { ...rest, $defs: Object.fromEntries(used) }
}

/** The names and types of members, required ones first, as many as fit. */
function membersOnly({ type, properties, required }: JsonSchema, maxSize: number): JsonSchema {
  const needed = new Set(Array.isArray(required) ? (required as string[]) : [])
  const members = Object.entries(isObject(properties) ? properties : {})
  const sorted = [
    ...members.filter(([name]) => needed.has(name)),
    ...members.filter(([name]) => !needed.has(name)),
  ]
  const requiredSize = JSON.stringify([...needed]).length
  const isRequiredShort = requiredSize < maxSize / 2
  let left = maxSize - (isRequiredShort ? requiredSize : 0) - 100
  const kept = sorted.flatMap(([name, member]): [string, JsonSchema][] => {
    const { type: ofMember } = isObject(member) ? member : {}
    const made: JsonSchema = ofMember === undefined ? {} : { type: ofMember }
    left -= JSON.stringify({ [name]: made }).length
    return left < 0 ? [] : [[name, made]]
  })
  return {
    ...(type !== undefined && { type }),
    ...(kept.length > 0 && { properties: Object.fromEntries(kept) }),
    ...(needed.size > 0 && isRequiredShort && { required: [...needed] }),
  }
}
