export type Schema = Readonly<Record<string, unknown>>

/** How a schema is shown as a field. What has no form of its own is edited as JSON. */
export type FieldKind =
  | { readonly kind: 'text'; readonly isLong: boolean }
  | { readonly kind: 'number'; readonly isInteger: boolean }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly options: readonly unknown[] }
  | { readonly kind: 'list'; readonly items: Schema }
  | { readonly kind: 'object'; readonly properties: readonly (readonly [string, Schema])[] }
  | { readonly kind: 'json' }

const LONG_TEXT = 120
const MOST_REFS = 20

/** The kind of field for a schema; `root` holds what its references point to. */
export function fieldKind(schema: Schema, value: unknown): FieldKind {
  if (Array.isArray(schema['enum'])) return { kind: 'choice', options: schema['enum'] as unknown[] }
  if ('const' in schema) return { kind: 'choice', options: [schema['const']] }
  if (['oneOf', 'anyOf', 'allOf', 'not', 'if', 'prefixItems'].some((word) => word in schema))
    return { kind: 'json' }
  const type = typeOf(schema)
  if (!fits(type, value)) return { kind: 'json' }
  if (type === 'string') return { kind: 'text', isLong: isLong(schema, value) }
  if (type === 'number' || type === 'integer') return { kind: 'number', isInteger: type === 'integer' }
  if (type === 'boolean') return { kind: 'boolean' }
  if (type === 'array' && isSchema(schema['items'])) return { kind: 'list', items: schema['items'] }
  const { properties } = schema
  if (type === 'object' && isSchema(properties) && Object.keys(properties).length > 0)
    return {
      kind: 'object',
      properties: Object.entries(properties).map(([name, each]) => [name, isSchema(each) ? each : {}]),
    }
  return { kind: 'json' }
}

/** The schema that a local reference names, and the other half of `anyOf: [X, { type: null }]`. */
export function resolveSchema(schema: Schema, root: Schema): Schema {
  let current = schema
  for (let steps = 0; steps < MOST_REFS; steps++) {
    const { $ref, anyOf, oneOf, ...rest } = current
    const choices = (Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : []) as unknown[]
    const real = choices.filter((each) => !(isSchema(each) && each['type'] === 'null'))
    if (typeof $ref === 'string') {
      const target = lookUp(root, $ref)
      if (target === undefined) return current
      current = { ...target, ...rest }
    } else if (choices.length > 0 && real.length === 1 && isSchema(real[0])) current = { ...real[0], ...rest }
    else return current
  }
  return {}
}

export function requiredOf(schema: Schema): readonly string[] {
  const { required } = schema
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function typeOf(schema: Schema): string {
  const { type } = schema
  const types = (Array.isArray(type) ? type : [type]).filter((each) => each !== 'null' && each !== undefined)
  if (types.length === 1 && typeof types[0] === 'string') return types[0]
  return types.length === 0 && isSchema(schema['properties']) ? 'object' : 'any'
}

/** A value of another type than the schema says, such as a mask, can only be edited as JSON; numbers are typed as text. */
function fits(type: string, value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isSchema(value)
  if (type === 'boolean') return typeof value === 'boolean'
  return typeof value !== 'object'
}

function isLong({ maxLength, format }: Schema, value: unknown): boolean {
  if (typeof value === 'string' && (value.length > LONG_TEXT || value.includes('\n'))) return true
  return format === undefined && typeof maxLength === 'number' && maxLength > LONG_TEXT
}

function lookUp(root: Schema, ref: string): Schema | undefined {
  if (!ref.startsWith('#')) return undefined
  let current: unknown = root
  for (const part of ref.slice(1).split('/').slice(1)) {
    if (!isSchema(current)) return undefined
    current = current[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return isSchema(current) ? current : undefined
}
