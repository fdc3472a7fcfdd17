import type { JsonSchema } from './json-schema.js'
import { schemas, type CoreObject, type RecordOf } from './schemas.js'
import { toReadSchema } from './to-read-schema.js'

export interface RecordProblem {
  /** A JSON pointer; empty for the record itself. */
  path: string
  message: string
}

export type ParsedRecord<Name extends CoreObject> =
  { ok: true; record: RecordOf[Name] } | { ok: false; problems: RecordProblem[] }

const readSchemas = new Map<CoreObject, JsonSchema>()

/**
 * Accepts what the standard accepts and returns the same value, so that unknown fields are preserved. Danger: a record
 * of another writer may have statuses and classes outside our lists, although its type says otherwise.
 */
export function parseRecord<Name extends CoreObject>(object: Name, value: unknown): ParsedRecord<Name> {
  const schema = readSchemaOf(object)
  if (!schema)
    return { ok: false, problems: [{ path: '', message: `"${String(object)}" is not a core object` }] }
  const problems: RecordProblem[] = []
  check(schema, value, '', problems)
  return problems.length === 0 ? { ok: true, record: value as RecordOf[Name] } : { ok: false, problems }
}

function readSchemaOf(object: CoreObject): JsonSchema | undefined {
  const known = readSchemas.get(object)
  if (known) return known
  if (!Object.hasOwn(schemas, object)) return undefined
  const schema = toReadSchema(schemas[object])
  readSchemas.set(object, schema)
  return schema
}

function check(schema: JsonSchema, value: unknown, path: string, problems: RecordProblem[]): void {
  const types = typesOf(schema.type)
  if (types && !types.some((type) => isOfType(type, value))) {
    problems.push({ path, message: `must be ${types.join(' or ')}, is ${nameOfType(value)}` })
    return
  }
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) {
    problems.push({ path, message: `must be one of ${schema.enum.join(', ')}` })
  }
  if (typeof value === 'number') checkRange(schema, value, path, problems)
  if (Array.isArray(value)) checkItems(schema, value, path, problems)
  else if (typeof value === 'object' && value !== null) checkFields(schema, value, path, problems)
}

function checkRange(schema: JsonSchema, value: number, path: string, problems: RecordProblem[]): void {
  if (typeof schema.minimum === 'number' && value < schema.minimum) {
    problems.push({ path, message: `must be at least ${schema.minimum}` })
  }
  if (typeof schema.maximum === 'number' && value > schema.maximum) {
    problems.push({ path, message: `must be at most ${schema.maximum}` })
  }
}

function checkItems(schema: JsonSchema, value: unknown[], path: string, problems: RecordProblem[]): void {
  if (schema.items === undefined) return
  for (const [index, item] of value.entries()) {
    check(schema.items as JsonSchema, item, `${path}/${index}`, problems)
  }
}

function checkFields(schema: JsonSchema, value: object, path: string, problems: RecordProblem[]): void {
  for (const name of (schema.required ?? []) as readonly string[]) {
    if (ownValue(value, name) === undefined) problems.push({ path: `${path}/${name}`, message: 'is missing' })
  }
  for (const [name, node] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)) {
    const field = ownValue(value, name)
    if (field !== undefined) check(node, field, `${path}/${name}`, problems)
  }
}

/** Only own fields count: every object inherits a `toString`. In memory, `undefined` means absent. */
function ownValue(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

function typesOf(type: unknown): readonly string[] | undefined {
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type : undefined
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value)
  return nameOfType(value) === type
}

function nameOfType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
