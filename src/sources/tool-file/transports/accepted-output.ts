import type { JsonSchema } from '../../../contract/json-schema.js'
import { isObject } from '../../../platform/json/is-object.js'

/** What a service says about a call whose outcome nobody waits for. */
export interface Acceptance {
  /** The names under which the id may stand in the output, the usual one first. */
  readonly idFields: readonly string[]
  readonly id: string
  /** The words for its state, the usual one first. */
  readonly states: readonly string[]
}

/**
 * The output of a call that was only accepted: the id and the state, under those of the usual names that the output
 * schema has. A schema that names none of them gets the usual ones.
 */
export function acceptedOutput(
  schema: JsonSchema,
  { idFields, id, states }: Acceptance,
): Record<string, string> {
  const properties = propertiesOf(schema)
  const field = idFields.find((name) => name in properties)
  const state = stateIn(properties, states)
  if (field === undefined && state === undefined) return { [idFields[0]!]: id, status: states[0]! }
  return { ...(field !== undefined && { [field]: id }), ...(state !== undefined && { status: state }) }
}

/** Fields that the output schema requires and a call that is only accepted cannot have. */
export function unfillableFields(schema: JsonSchema, accepted: Acceptance): readonly string[] {
  const { required } = isObject(schema) ? schema : {}
  const filled = acceptedOutput(schema, accepted)
  return Array.isArray(required) ? required.filter((name): name is string => !(String(name) in filled)) : []
}

function propertiesOf(schema: JsonSchema): Record<string, unknown> {
  const { properties } = isObject(schema) ? schema : {}
  return isObject(properties) ? properties : {}
}

function stateIn(properties: Record<string, unknown>, states: readonly string[]): string | undefined {
  const { status } = properties
  if (!isObject(status)) return undefined
  const { enum: allowed } = status
  return Array.isArray(allowed) ? states.find((state) => allowed.includes(state)) : states[0]
}
