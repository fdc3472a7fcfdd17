import type { JsonSchema } from './json-schema.js'

/**
 * The schema of what we accept: a deep copy, relaxed to what the standard's own schemas state. They define the type of
 * each field and the items of a list, but nothing inside an object.
 */
export function toReadSchema(schema: JsonSchema): JsonSchema {
  const { properties, 'x-toolcrib-emit-required': _emitOnly, ...rest } = schema
  const read: Record<string, unknown> = structuredClone(rest)
  if (properties !== undefined) {
    read.properties = Object.fromEntries(
      Object.entries(properties as Record<string, JsonSchema>).map(([name, node]) => [name, readField(node)]),
    )
  }
  return read
}

function readField(node: JsonSchema): JsonSchema {
  const about = typeof node.description === 'string' ? { description: node.description } : {}
  if (node['x-toolcrib-open-on-read'] === true) return about
  if (node['x-toolcrib-closed'] === true) return { ...about, type: 'string' }
  if (node.type === 'object') return { ...about, type: 'object', additionalProperties: true }
  if (node.type === 'array') {
    return {
      ...about,
      type: 'array',
      items: node.items === undefined ? {} : readField(node.items as JsonSchema),
    }
  }
  return structuredClone(node)
}
