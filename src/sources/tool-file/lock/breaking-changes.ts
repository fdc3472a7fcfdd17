import type { JsonSchema } from '../../../contract/json-schema.js'
import { isObject } from '../../../platform/json/is-object.js'
import { sameJson } from '../../../platform/json/same-json.js'

export interface BreakingChange {
  /** Keys from the schema to the part that changed. */
  readonly path: readonly string[]
  /** One sentence. */
  readonly message: string
}

type Side = 'input' | 'output'

interface Comparison {
  readonly before: unknown
  readonly after: unknown
  readonly path: readonly string[]
}

/** Keywords that say nothing about values. */
const NOTES = ['title', 'description', 'default', 'examples', '$comment', '$schema', 'readOnly', 'writeOnly']

const ALL_TYPES = ['string', 'number', 'boolean', 'object', 'array', 'null']

/**
 * Changes of a schema that break its users. Input that was valid must stay valid; output must stay as it was promised, so
 * that every new output is valid under the old schema. New optional fields break nothing.
 */
export function breakingChanges(before: JsonSchema, after: JsonSchema, side: Side): BreakingChange[] {
  const changes: BreakingChange[] = []
  compare({ before, after, path: [] }, side, changes)
  return changes
}

function compare({ before, after, path }: Comparison, side: Side, changes: BreakingChange[]): void {
  if (sameJson(before, after)) return
  const [old, now] = [asSchema(before), asSchema(after)]
  const add = (keyword: string, message: string): void =>
    void changes.push({
      path: keyword === '' ? path : [...path, keyword],
      message: `${nameOf(path, side)} ${message}`,
    })
  // Whatever the first allows, the second must allow.
  const [wide, narrow] = side === 'input' ? [old, now] : [now, old]
  const limits = side === 'input' ? 'accepts less than before' : 'can be more than before'
  for (const keyword of narrowedKeywords(wide, narrow))
    add(keyword in now ? keyword : '', `${limits} (${keyword})`)
  compareFields({ old, now, path, side }, changes)
  for (const keyword of ['items', 'additionalProperties', 'contains', 'propertyNames'])
    if (isObject(old[keyword]) && isObject(now[keyword]))
      compare({ before: old[keyword], after: now[keyword], path: [...path, keyword] }, side, changes)
}

function compareFields(
  { old, now, path, side }: { old: JsonSchema; now: JsonSchema; path: readonly string[]; side: Side },
  changes: BreakingChange[],
): void {
  const [oldFields, newFields] = [fieldsOf(old), fieldsOf(now)]
  for (const name of Object.keys(oldFields)) {
    const at = [...path, 'properties', name]
    if (Object.hasOwn(newFields, name))
      compare({ before: oldFields[name], after: newFields[name], path: at }, side, changes)
    else changes.push({ path: [...path, 'properties'], message: `${nameOf(at, side)} is removed` })
  }
  const [oldRequired, newRequired] = [namesOf(old['required']), namesOf(now['required'])]
  if (side === 'input') {
    for (const name of newRequired.filter((each) => !oldRequired.includes(each)))
      changes.push({
        path: [...path, 'required'],
        message: `${nameOf([...path, name], side)} is now required`,
      })
  } else {
    for (const name of oldRequired.filter(
      (each) => !newRequired.includes(each) && Object.hasOwn(newFields, each),
    ))
      changes.push({
        path: [...path, 'properties', name],
        message: `${nameOf([...path, name], side)} may now be absent`,
      })
  }
}

/** Keywords by which `narrow` refuses values that `wide` allows. */
function narrowedKeywords(wide: JsonSchema, narrow: JsonSchema): string[] {
  const found: string[] = []
  if (!typesOf(wide).every((type) => allowsType(typesOf(narrow), type))) found.push('type')
  if (!isWithin(valuesOf(wide), valuesOf(narrow)))
    found.push(Object.hasOwn(narrow, 'const') ? 'const' : 'enum')
  for (const keyword of ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'])
    if (numberOf(narrow[keyword], -Infinity) > numberOf(wide[keyword], atLeast(keyword))) found.push(keyword)
  for (const keyword of ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'])
    if (numberOf(narrow[keyword], Infinity) < numberOf(wide[keyword], Infinity)) found.push(keyword)
  for (const keyword of ['pattern', 'format', 'contentEncoding', 'contentMediaType'])
    if (narrow[keyword] !== undefined && narrow[keyword] !== wide[keyword]) found.push(keyword)
  if (narrow['uniqueItems'] === true && wide['uniqueItems'] !== true) found.push('uniqueItems')
  if (!isMultiple(wide['multipleOf'], narrow['multipleOf'])) found.push('multipleOf')
  if (isClosed(narrow) && !isClosed(wide)) found.push('additionalProperties')
  if (isObject(narrow['additionalProperties']) && !isObject(wide['additionalProperties']) && !isClosed(wide))
    found.push('additionalProperties')
  if (narrow['items'] !== undefined && wide['items'] === undefined) found.push('items')
  for (const keyword of ['anyOf', 'oneOf']) if (!isAmong(wide[keyword], narrow[keyword])) found.push(keyword)
  // What these allow together cannot be compared, so that each change counts.
  for (const keyword of ['allOf', 'not', 'if', 'then', 'else', 'dependencies', 'patternProperties'])
    if (
      narrow[keyword] !== undefined &&
      !sameJson(withoutNotes(wide[keyword]), withoutNotes(narrow[keyword]))
    )
      found.push(keyword)
  return found
}

const atLeast = (keyword: string): number => (/^min[LIP]/.test(keyword) ? 0 : -Infinity)
const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise
const isClosed = (schema: JsonSchema): boolean => schema['additionalProperties'] === false

function typesOf({ type }: JsonSchema): readonly string[] {
  const types = Array.isArray(type) ? (type as string[]) : typeof type === 'string' ? [type] : ALL_TYPES
  return types
}

const allowsType = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'))

/** The values that a schema lists; undefined where it allows others. */
function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema['const']]
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined
}

function isWithin(wide: readonly unknown[] | undefined, narrow: readonly unknown[] | undefined): boolean {
  if (!narrow) return true
  return wide?.every((value) => narrow.some((each) => sameJson(each, value))) === true
}

function isMultiple(wide: unknown, narrow: unknown): boolean {
  if (typeof narrow !== 'number') return true
  return typeof wide === 'number' && Number.isInteger(wide / narrow)
}

/** Whether every alternative of the first is one of the second. */
function isAmong(wide: unknown, narrow: unknown): boolean {
  if (!Array.isArray(narrow)) return true
  if (!Array.isArray(wide)) return false
  return wide.every((each) => narrow.some((other) => sameJson(withoutNotes(each), withoutNotes(other))))
}

function withoutNotes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNotes)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (NOTES.includes(key) ? [] : [[key, withoutNotes(each)]])),
  )
}

/** `true` allows everything, `false` nothing. */
function asSchema(value: unknown): JsonSchema {
  if (isObject(value)) return value
  return value === false ? { enum: [] } : {}
}

const fieldsOf = ({ properties }: JsonSchema): Readonly<Record<string, unknown>> =>
  isObject(properties) ? properties : {}
const namesOf = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : [])

/** `"input.address.city"` for a path of keywords and names. */
function nameOf(path: readonly string[], side: Side): string {
  const names = path.filter((part, index) => part !== 'properties' || path[index - 1] === 'properties')
  return `"${[side, ...names].join('.')}"`
}
