import type { JsonSchema } from '../../contract/json-schema.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'

export type ObjectSchema = { type: 'object' } & Record<string, unknown>

/**
 * What a provider takes as the schema of arguments: one of an object. A tool that takes something else than an object
 * cannot be offered in such a format.
 */
export function objectSchema({ toolId, draft }: CatalogTool): ObjectSchema {
  const schema = toObjectSchema(draft.input.modelSchema)
  if (schema) return schema
  throw new TypeError(
    `The input of "${toolId}" is not an object, which this format cannot say; give its schema the type "object", or leave it out of the surface with "exclude".`,
  )
}

/** A schema that names no type, or an object among others, takes one. */
export function toObjectSchema(schema: JsonSchema): ObjectSchema | undefined {
  const { type, ...rest } = schema as Record<string, unknown>
  const takesObject =
    type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
  return takesObject ? { type: 'object', ...rest } : undefined
}
