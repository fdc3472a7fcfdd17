import type { JsonSchema } from '../../../contract/json-schema.js'
import { isObject } from '../../../platform/json/is-object.js'

export interface FieldRow {
  /** As `toolcrib call` takes it: `body.item` is a member of `body`. */
  name: string
  type: string
  /** "required", "default 3", or nothing. */
  need: string
  description: string
}

export interface DescribeOptions {
  readonly sensitive?: readonly string[] | undefined
  /** How many levels of objects inside objects get rows of their own; --json has the others. None by default. */
  readonly levels?: number | undefined
}

/** The fields of an object schema, one row each. */
export function describeSchema(schema: JsonSchema, options: DescribeOptions = {}): FieldRow[] {
  const { sensitive = [], levels = 0 } = options
  const rows = (given: JsonSchema, prefix: string, left: number): FieldRow[] => {
    const { properties, required } = followed(given, schema)
    const needed: readonly unknown[] = Array.isArray(required) ? required : []
    return Object.entries(isObject(properties) ? properties : {}).flatMap(([key, value]) => {
      const field = isObject(value) ? followed(value, schema) : {}
      const name = prefix + key
      const row = {
        name,
        type: typeText(field, schema),
        need: needText(field, { isRequired: needed.includes(key), isSensitive: sensitive.includes(name) }),
        description: typeof field['description'] === 'string' ? field['description'] : '',
      }
      return left > 0 ? [row, ...rows(field, `${name}.`, left - 1)] : [row]
    })
  }
  return rows(schema, '', levels)
}

function needText(
  field: JsonSchema,
  { isRequired, isSensitive }: { isRequired: boolean; isSensitive: boolean },
): string {
  const need = isRequired
    ? 'required'
    : 'default' in field
      ? `default ${JSON.stringify(field['default'])}`
      : ''
  return [need, isSensitive ? 'sensitive' : ''].filter((word) => word !== '').join(', ')
}

/** A schema under `$defs` in place of the reference to it. */
function followed(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const [, name] = /^#\/\$defs\/([^/]+)$/.exec(String(schema['$ref'])) ?? []
  const definitions = root['$defs']
  if (name === undefined || !isObject(definitions) || !isObject(definitions[name])) return schema
  const { $ref: _, ...own } = schema
  return { ...definitions[name], ...own }
}

function typeText(schema: JsonSchema, root: JsonSchema): string {
  const inner = (value: unknown): string => (isObject(value) ? typeText(followed(value, root), root) : 'any')
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ')
  const { type } = schema
  if (type === 'array' && typeof schema['items'] === 'object') return `${inner(schema['items'])}[]`
  if (typeof type === 'string') return type
  if (Array.isArray(type)) return type.join(' | ')
  const options = schema['anyOf'] ?? schema['oneOf']
  return Array.isArray(options) ? [...new Set(options.map(inner))].join(' | ') : 'any'
}
