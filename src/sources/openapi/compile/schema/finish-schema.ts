import type { JsonSchema } from '../../../../contract/json-schema.js'
import { isBytes } from './is-bytes.js'
import { numberOf } from './keyword-values.js'

type JsonObject = Readonly<Record<string, unknown>>

export interface FinishOptions {
  /** The schema of the document. */
  readonly schema: JsonObject
  readonly use: 'input' | 'output'
  readonly hasFiles: boolean
}

/** What older versions of OpenAPI say otherwise: exclusive bounds, bytes, and null. */
export function finishSchema(
  made: Record<string, unknown>,
  { schema, use, hasFiles }: FinishOptions,
): JsonSchema {
  addBounds(made, schema)
  const isFile = use === 'input' && isBytes(schema, { isPart: hasFiles })
  return withNull(isFile ? toBase64(made, hasFiles) : made, schema)
}

function addBounds(made: Record<string, unknown>, schema: JsonObject): void {
  const sides = [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const
  for (const [exclusive, inclusive] of sides) {
    const value = schema[exclusive]
    if (value === true && made[inclusive] !== undefined) {
      made[exclusive] = made[inclusive]
      delete made[inclusive]
    } else if (numberOf(value) !== undefined) made[exclusive] = numberOf(value)
  }
}

/** JSON has no bytes: an input gives them in Base64. */
function toBase64(made: JsonObject, hasFiles: boolean): Record<string, unknown> {
  const { format: _format, type: _type, contentMediaType: _media, description, ...rest } = made
  const said = description === undefined ? {} : { description }
  const text = { type: 'string', contentEncoding: 'base64' }
  if (!hasFiles) return { ...said, ...text, ...rest }
  const file = {
    type: 'object',
    properties: { data: text, filename: { type: 'string' }, content_type: { type: 'string' } },
    required: ['data'],
    additionalProperties: false,
  }
  return { ...said, anyOf: [text, file] }
}

/** What else a value must fulfil than a type or a list of values: null would not. */
const CONDITIONS = ['$ref', 'allOf', 'anyOf', 'const', 'if', 'not']

/** 3.0 says `nullable`; Swagger documents say `x-nullable`. */
function withNull(made: Record<string, unknown>, schema: JsonObject): JsonSchema {
  if (schema['nullable'] !== true && schema['x-nullable'] !== true) return made
  const { type, enum: values } = made
  if (CONDITIONS.some((name) => made[name] !== undefined)) {
    const { description, title, ...rest } = made
    return {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      anyOf: [rest, { type: 'null' }],
    }
  }
  if (Array.isArray(values) && !values.includes(null)) made['enum'] = [...(values as unknown[]), null]
  if (typeof type === 'string' && type !== 'null') made['type'] = [type, 'null']
  else if (Array.isArray(type) && !type.includes('null')) made['type'] = [...(type as string[]), 'null']
  return made
}
