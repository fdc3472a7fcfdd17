import type { JsonSchema } from '../../contract/json-schema.js'

/*
 * Schemas that several routes share.
 */

export const text = { type: 'string' } as const
export const time = { type: 'string', format: 'date-time' } as const
export const anything = {} as const
export const texts = { type: 'array', items: text } as const

/** An object whose listed members are described; it may have more. */
export function shape(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', ...(required.length > 0 && { required }), properties }
}

/** The body of a request: unknown members are refused. */
export function input(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { ...shape(properties, required), additionalProperties: false }
}

export function listOf(items: JsonSchema): JsonSchema {
  const next = { ...text, description: 'Where the next page begins; absent on the last one.' }
  return shape({ items: { type: 'array', items }, next_cursor: next }, ['items'])
}

/** Query parameters of every list. */
export const paging = {
  limit: { type: 'integer', minimum: 1, maximum: 500, default: 50, description: 'How many items at most.' },
  cursor: {
    type: 'string',
    minLength: 1,
    maxLength: 500,
    description: 'The next_cursor of the page before.',
  },
} as const

const name = { type: 'string', minLength: 1, maxLength: 500 } as const
export const named = (description: string): JsonSchema => ({ ...name, description })
