import type { JsonSchema } from '../../contract/json-schema.js'
import { isObject } from '../../platform/json/is-object.js'
import { remember } from '../../platform/json/remember.js'
import type { DraftInput } from '../tool-draft.js'

/** Keywords that every provider supports in a strict schema. */
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
 * Whether a provider should enforce the schema: as the tool states. An unstated one is strict where the schema fits the
 * providers' strict subset: for any other schema a provider would reject the whole list of tools.
 */
export function isStrict({ strict, modelSchema }: Pick<DraftInput, 'strict' | 'modelSchema'>): boolean {
  return strict ?? fitsStrict(modelSchema)
}

const fitsStrict = remember((schema: JsonSchema): boolean => fits(schema))

function fits(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const { properties, items, anyOf, type } = schema
  if (Object.keys(schema).some((key) => !KNOWN.has(key))) return false
  if (items !== undefined && !fits(items)) return false
  if (anyOf !== undefined && !(Array.isArray(anyOf) && anyOf.every(fits))) return false
  const takesObjects = type === 'object' || (Array.isArray(type) && type.includes('object'))
  return takesObjects || properties !== undefined ? fitsObject(schema) : true
}

/** Every property must be required, and no other may be allowed. */
function fitsObject(schema: object): boolean {
  const { properties = {}, required = [], additionalProperties } = schema as Record<string, unknown>
  const names = Object.keys(properties as object)
  // Without properties there is nothing to enforce.
  if (additionalProperties !== false && names.length > 0) return false
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
  return names.every(isRequired) && Object.values(properties as object).every(fits)
}
