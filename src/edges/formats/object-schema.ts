import type { JsonSchema } from '../../contract/json-schema.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'

export type ObjectSchema = { type: 'object' } & Record<string, unknown>

/**
 * The schema of arguments for a provider: an object schema. A tool whose input is no object cannot be offered in such a
 * format.
 */
export function objectSchema({ toolId, draft }: CatalogTool): ObjectSchema {
  const schema = toObjectSchema(draft.input.modelSchema)
  if (schema) return schema
  throw new TypeError(
    `The input of "${toolId}" is not an object, which this format cannot say; give its schema the type "object", or leave it out of the surface with "exclude".`,
  )
}

/** Whether a schema accepts an object: it names no type, or an object among others. */
export function toObjectSchema(schema: JsonSchema): ObjectSchema | undefined {
  const { type, ...rest } = schema as Record<string, unknown>
  const takesObject =
    type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
  return takesObject ? { type: 'object', ...rest } : undefined
}
