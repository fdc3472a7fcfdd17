import type { JsonSchema } from '../../contract/json-schema.js'
import { isObject } from '../json/is-object.js'
import { schemaUnusable } from './schema-unusable.js'
import { toPointer } from './to-pointer.js'

const schemaKeywords = [
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
] as const
const listKeywords = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'] as const
const mapKeywords = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
] as const

/**
 * Calls `visit` with the schema and every schema inside it, once each. Throws where a value that is no schema is in a
 * schema's position: Ajv would silently accept every value there.
 */
export function eachSubschema(schema: JsonSchema, visit: (schema: JsonSchema) => void): void {
  const seen = new Set<object>()
  const enter = (candidate: unknown, path: string[]): void => {
    if (typeof candidate === 'boolean') return
    if (!isObject(candidate)) {
      throw schemaUnusable(`${toPointer(path) || 'it'} is neither an object nor a boolean`)
    }
    if (seen.has(candidate)) return
    seen.add(candidate)
    visit(candidate)
    for (const keyword of schemaKeywords) {
      const value = candidate[keyword]
      if (value !== undefined && !Array.isArray(value)) enter(value, [...path, keyword])
    }
    for (const keyword of listKeywords) {
      const list = candidate[keyword]
      if (Array.isArray(list)) list.forEach((item, index) => enter(item, [...path, keyword, String(index)]))
    }
    for (const keyword of mapKeywords) {
      const map = candidate[keyword]
      if (!isObject(map)) continue
      for (const key of Object.keys(map)) {
        if (keyword === 'dependencies' && Array.isArray(map[key])) continue
        enter(map[key], [...path, keyword, key])
      }
    }
  }
  enter(schema, [])
}
