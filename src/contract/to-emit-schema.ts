import type { JsonSchema } from './json-schema.js'

/**
 * The schema of what we emit, in plain JSON Schema: the fields that we always state are added to `required`, and our
 * own keywords are removed.
 */
export function toEmitSchema(schema: JsonSchema): JsonSchema {
  const emit: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword.startsWith('x-toolcrib-')) continue
    emit[keyword] = keyword === 'properties' ? emitProperties(value) : emitValue(keyword, value)
  }
  const always = schema['x-toolcrib-emit-required']
  if (Array.isArray(always)) {
    const required = Array.isArray(schema.required) ? schema.required : []
    emit.required = [...new Set([...required, ...always])]
  }
  return emit
}

function emitProperties(properties: unknown): unknown {
  return Object.fromEntries(
    Object.entries(properties as Record<string, JsonSchema>).map(([name, node]) => [
      name,
      toEmitSchema(node),
    ]),
  )
}

function emitValue(keyword: string, value: unknown): unknown {
  return keyword === 'items' ? toEmitSchema(value as JsonSchema) : structuredClone(value)
}
