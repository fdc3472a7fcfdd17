import type { JsonSchema } from '../../../contract/json-schema.js'

export interface FieldRow {
  name: string
  type: string
  /** "required", "default 3", or nothing. */
  need: string
  description: string
}

/** The fields of an object's schema, one row each; deeper ones are left to --json. */
export function describeSchema(schema: JsonSchema, sensitive: readonly string[] = []): FieldRow[] {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : []
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: typeText(field),
    need: [
      required.includes(name)
        ? 'required'
        : 'default' in field
          ? `default ${JSON.stringify(field['default'])}`
          : '',
      sensitive.includes(name) ? 'sensitive' : '',
    ]
      .filter((word) => word !== '')
      .join(', '),
    description: typeof field['description'] === 'string' ? field['description'] : '',
  }))
}

function typeText(schema: JsonSchema): string {
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ')
  const { type } = schema
  if (type === 'array' && typeof schema['items'] === 'object')
    return `${typeText(schema['items'] as JsonSchema)}[]`
  if (typeof type === 'string') return type
  if (Array.isArray(type)) return type.join(' | ')
  const options = schema['anyOf'] ?? schema['oneOf']
  return Array.isArray(options) ? options.map((option) => typeText(option as JsonSchema)).join(' | ') : 'any'
}
