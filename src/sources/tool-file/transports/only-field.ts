import type { JsonSchema } from '../../../contract/json-schema.js'
import { isObject } from '../../../platform/json/is-object.js'

/**
 * The output of a tool file is an object, and many services answer with a text or a list: such a value is put into the
 * only field of the output schema that can hold it. Undefined where none or several can.
 */
export function inOnlyField(schema: JsonSchema, value: unknown): Record<string, unknown> | undefined {
  const { properties } = isObject(schema) ? schema : {}
  const fitting = Object.entries(isObject(properties) ? properties : {}).filter(([, field]) =>
    canHold(field, value),
  )
  return fitting.length === 1 ? { [fitting[0]![0]]: value } : undefined
}

/** A field without a type takes every value. */
function canHold(field: unknown, value: unknown): boolean {
  if (!isObject(field)) return false
  const { type } = field
  if (type === undefined) return true
  return [type]
    .flat()
    .some((each) => each === typeOf(value) || (each === 'integer' && Number.isInteger(value)))
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
