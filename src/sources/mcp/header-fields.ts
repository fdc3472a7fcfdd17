import { isObject } from '../../platform/json/is-object.js'
import { encodeHeaderValue, headerNames } from './protocol/headers.js'
import type { JsonObject } from './protocol/json-rpc.js'

/** An input field of a tool that is repeated in a header. */
export interface HeaderField {
  readonly path: readonly string[]
  /** The full name of the header, in lower case. */
  readonly header: string
}

export type HeaderFields =
  | { readonly kind: 'fields'; readonly fields: readonly HeaderField[] }
  | { readonly kind: 'invalid'; readonly reason: string }

const MARK = 'x-mcp-header'
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES = new Set(['string', 'integer', 'boolean'])
/** A schema deeper than this is not searched for header marks. */
const MAX_DEPTH = 64

const known = new WeakMap<JsonObject, HeaderFields>()

/**
 * Which fields of an input its schema marks with `x-mcp-header`. A mark is only valid on a plain field that is reached
 * through `properties` alone; a tool with an invalid one must not be offered.
 */
export function headerFields(inputSchema: JsonObject): HeaderFields {
  const before = known.get(inputSchema)
  if (before) return before
  const found = scan(inputSchema)
  known.set(inputSchema, found)
  return found
}

function scan(inputSchema: JsonObject): HeaderFields {
  const fields: HeaderField[] = []
  const reason = visit(inputSchema, { path: [], reachable: true, depth: 0 }, fields)
  return reason === undefined ? { kind: 'fields', fields } : { kind: 'invalid', reason }
}

interface SchemaPosition {
  readonly path: readonly string[]
  readonly reachable: boolean
  readonly depth: number
}

function visit(node: unknown, place: SchemaPosition, fields: HeaderField[]): string | undefined {
  if (Array.isArray(node)) return firstReason(node, (item) => visit(item, below(place), fields))
  if (!isObject(node)) return undefined
  if (place.depth > MAX_DEPTH) return `the input schema is nested more than ${MAX_DEPTH} levels deep`
  if (MARK in node) {
    const reason = whyInvalid(node, place, fields)
    if (reason !== undefined) return reason
    fields.push({
      path: place.path,
      header: `${headerNames.paramPrefix}${(node[MARK] as string).toLowerCase()}`,
    })
  }
  return firstReason(Object.entries(node), ([keyword, value]) => {
    // These hold values, not schemas: a member of that name is no mark.
    if (keyword === 'const' || keyword === 'enum' || keyword === 'default' || keyword === 'examples')
      return undefined
    if (!isNamed(keyword, value)) return visit(value, below(place), fields)
    const isPath = keyword === 'properties'
    return firstReason(Object.entries(value), ([name, schema]) =>
      visit(
        schema,
        isPath
          ? { path: [...place.path, name], reachable: place.reachable, depth: place.depth + 1 }
          : below(place),
        fields,
      ),
    )
  })
}

/** Keywords whose members are author-chosen names, each with a schema. */
function isNamed(keyword: string, value: unknown): value is JsonObject {
  return (
    ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'].includes(keyword) &&
    isObject(value)
  )
}

function below(place: SchemaPosition): SchemaPosition {
  return { path: place.path, reachable: false, depth: place.depth + 1 }
}

function whyInvalid(
  node: JsonObject,
  place: SchemaPosition,
  fields: readonly HeaderField[],
): string | undefined {
  const where = place.path.join('.') || 'the schema itself'
  const name = node[MARK]
  if (!place.reachable || place.path.length === 0)
    return `${MARK} at ${where} is not on a field that "properties" alone lead to`
  if (typeof name !== 'string' || !TOKEN.test(name))
    return `${MARK} of ${where} is not a name that a header can have`
  if (typeof node['type'] !== 'string' || !TYPES.has(node['type']))
    return `${MARK} of ${where} is on a field that is no string, integer or boolean`
  const header = `${headerNames.paramPrefix}${name.toLowerCase()}`
  if (fields.some((field) => field.header === header))
    return `${MARK} ${JSON.stringify(name)} is on two fields`
  return undefined
}

function firstReason<T>(items: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const reason = check(item)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** The headers that repeat marked fields of these arguments; a field that is absent or null has none. */
export function paramHeaders(inputSchema: JsonObject, args: unknown): Record<string, string> {
  const found = headerFields(inputSchema)
  const headers: Record<string, string> = {}
  if (found.kind === 'invalid') return headers
  for (const { path, header } of found.fields) {
    const text = toHeaderText(valueAt(args, path))
    if (text !== undefined) headers[header] = encodeHeaderValue(text)
  }
  return headers
}

/** The argument at a path; inherited members do not count. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

/** A plain value in its header form; undefined for values that headers do not repeat. */
export function toHeaderText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
}
