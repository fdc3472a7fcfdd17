import type { JsonSchema } from '../../../contract/json-schema.js'
import { isObject } from '../../../platform/json/is-object.js'
import { usageProblem } from '../program/usage-problem.js'

/** `key=value` pairs become the input that the schema describes. */
export function parsePairs(pairs: readonly string[], schema: JsonSchema): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const pair of pairs) {
    const { key, text, isJson } = splitPair(pair)
    // A field whose own name contains a dot takes precedence over a nested field.
    const path = propertyOf(schema, schema, key) ? [key] : key.split('.')
    if (path.includes('')) throw usageProblem(`"${pair}" has no key; write key=value.`)
    const value = isJson ? parseForced(key, text) : parseValue(key, text, schemaAt(schema, path))
    place(input, path, value)
  }
  return input
}

function splitPair(pair: string): { key: string; text: string; isJson: boolean } {
  const at = pair.indexOf('=')
  if (at < 1) {
    throw usageProblem(
      `"${pair}" is not key=value; write the input as key=value, or whole with --input '<json>'.`,
    )
  }
  const isJson = pair[at - 1] === ':'
  return { key: pair.slice(0, isJson ? at - 1 : at), text: pair.slice(at + 1), isJson }
}

function place(input: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let target = input
  for (const part of path.slice(0, -1)) {
    const next: unknown = Object.hasOwn(target, part) ? target[part] : undefined
    if (next !== undefined && !isObject(next)) throw givenTwice(path)
    target = isObject(next) ? next : setOwn(target, part, {})
  }
  const last = path.at(-1)!
  if (Object.hasOwn(target, last)) throw givenTwice(path)
  setOwn(target, last, value)
}

const givenTwice = (path: readonly string[]): Error => usageProblem(`"${path.join('.')}" is given twice.`)

// Not by assignment: a key named __proto__ must become a field, not a prototype.
function setOwn<Value>(target: object, key: string, value: Value): Value {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  return value
}

function parseForced(key: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw usageProblem(`The value of "${key}" is not valid JSON; after := only JSON may stand.`)
  }
}

/** Where the schema does not allow text, the value is parsed as JSON; otherwise it stays text. */
function parseValue(key: string, text: string, types: ReadonlySet<string>): unknown {
  if (types.size === 0 || types.has('string')) return text
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    if (types.has('object') || types.has('array')) {
      const example = types.has('array') ? `${key}='["a", "b"]'` : `${key}='{"a": 1}'`
      throw usageProblem(`The value of "${key}" must be JSON, for example ${example}.`)
    }
    // The tool's own check has the best message for it.
    return text
  }
  return value
}

/** The types that the schema allows here; none if it does not say. */
function schemaAt(root: JsonSchema, path: readonly string[]): ReadonlySet<string> {
  let schema: JsonSchema | undefined = root
  for (const part of path) schema = schema && propertyOf(root, schema, part)
  return schema ? typesOf(root, schema) : new Set()
}

function propertyOf(root: JsonSchema, schema: JsonSchema, name: string): JsonSchema | undefined {
  for (const option of optionsOf(root, schema)) {
    const properties = option['properties']
    if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name] as JsonSchema
  }
  const rest = schema['additionalProperties']
  return isObject(rest) && schema !== root ? rest : undefined
}

function typesOf(root: JsonSchema, schema: JsonSchema): Set<string> {
  const types = new Set<string>()
  for (const option of optionsOf(root, schema)) {
    const values = 'const' in option ? [option['const']] : Array.isArray(option['enum']) ? option['enum'] : []
    for (const type of [option['type'] ?? values.map((value) => jsonTypeOf(value))].flat())
      types.add(String(type))
  }
  return types
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** A schema and all schemas that it combines. Refs are followed within the document, each once. */
function optionsOf(root: JsonSchema, schema: JsonSchema, seen = new Set<unknown>()): JsonSchema[] {
  if (!isObject(schema) || seen.has(schema)) return []
  seen.add(schema)
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => {
    const list = schema[keyword]
    return Array.isArray(list) ? (list as JsonSchema[]) : []
  })
  const ref = typeof schema['$ref'] === 'string' ? followRef(root, schema['$ref']) : undefined
  if (ref) parts.push(ref)
  return [schema, ...parts.flatMap((part) => optionsOf(root, part, seen))]
}

function followRef(root: JsonSchema, ref: string): JsonSchema | undefined {
  if (!ref.startsWith('#/')) return undefined
  let node: unknown = root
  for (const part of ref.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    node = isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined
  }
  return isObject(node) ? node : undefined
}
