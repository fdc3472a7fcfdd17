import type { JsonSchema } from '../../../contract/json-schema.js'
import { defineKey } from '../../../platform/json/define-key.js'
import { isObject } from '../../../platform/json/is-object.js'

/** Members whose value is one schema, a list of schemas, or schemas by name. */
const ONE = new Set(['additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else'])
const LISTS = new Set(['oneOf', 'anyOf', 'allOf'])
const MAPS = new Set(['properties', 'patternProperties'])

/** A schema of AML's subset of draft-07 as draft 2020-12, which the records have: the same values fit both. */
export function fromDraft07(schema: JsonSchema): JsonSchema {
  return DIFFERS.test(JSON.stringify(schema)) ? (convert(schema) as JsonSchema) : schema
}

/** Most schemas are the same in both drafts, and this search takes less time than a copy. */
const DIFFERS = /"(?:dependencies|additionalItems|items":\[)/

function convert(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const made: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) put(made, keyword, value)
  if (Array.isArray(schema['items'])) {
    made['prefixItems'] = schema['items'].map(convert)
    delete made['items']
    if (schema['additionalItems'] !== undefined) made['items'] = convert(schema['additionalItems'])
  }
  return made
}

function put(made: Record<string, unknown>, keyword: string, value: unknown): void {
  // Without a list of items it says nothing.
  if (keyword === 'additionalItems') return
  if (keyword === 'dependencies' && isObject(value)) return splitDependencies(made, value)
  if (ONE.has(keyword) || (keyword === 'items' && !Array.isArray(value)))
    return void defineKey(made, keyword, convert(value))
  if (LISTS.has(keyword) && Array.isArray(value)) return void defineKey(made, keyword, value.map(convert))
  if (MAPS.has(keyword) && isObject(value)) return void defineKey(made, keyword, convertMap(value))
  defineKey(made, keyword, value)
}

function convertMap(schemas: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(schemas)) defineKey(made, name, convert(schema))
  return made
}

/** Names and schemas have a keyword each. */
function splitDependencies(made: Record<string, unknown>, value: Readonly<Record<string, unknown>>): void {
  const names = Object.entries(value).filter(([, each]) => Array.isArray(each))
  const schemas = Object.entries(value).filter(([, each]) => !Array.isArray(each))
  if (names.length > 0) made['dependentRequired'] = Object.fromEntries(names)
  if (schemas.length > 0) made['dependentSchemas'] = convertMap(Object.fromEntries(schemas))
}
