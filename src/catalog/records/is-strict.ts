import type { JsonSchema } from '../../contract/json-schema.js'
import { remember } from '../../platform/json/remember.js'
import type { DraftInput } from '../tool-draft.js'

/** What providers take in a schema that they enforce word for word. All of them take these. */
const KNOWN = new Set([
  'type',
  'title',
  'description',
  'enum',
  'const',
  'anyOf',
  'items',
  'properties',
  'required',
  'additionalProperties',
  '$schema',
])

/**
 * Whether a provider is to enforce the schema: as the tool says. A tool that does not say is strict wherever a provider
 * supports that, which no provider does for a schema that is not made for it: it would refuse the whole list.
 */
export function isStrict({ strict, modelSchema }: Pick<DraftInput, 'strict' | 'modelSchema'>): boolean {
  return strict ?? fitsStrict(modelSchema)
}

const fitsStrict = remember((schema: JsonSchema): boolean => fits(schema))

function fits(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return false
  const { properties, items, anyOf, type } = schema as Record<string, unknown>
  if (Object.keys(schema).some((key) => !KNOWN.has(key))) return false
  if (items !== undefined && !fits(items)) return false
  if (anyOf !== undefined && !(Array.isArray(anyOf) && anyOf.every(fits))) return false
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'))
  return isObject || properties !== undefined ? fitsObject(schema) : true
}

/** Every property has to be there, and no other may be. */
function fitsObject(schema: object): boolean {
  const { properties = {}, required = [], additionalProperties } = schema as Record<string, unknown>
  const names = Object.keys(properties as object)
  // No properties at all leave nothing to enforce.
  if (additionalProperties !== false && names.length > 0) return false
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
  return names.every(isRequired) && Object.values(properties as object).every(fits)
}
