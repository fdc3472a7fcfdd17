import type { JsonSchema } from '../../foundation/contract/json-schema.js'
import type { ToolResult } from '../../foundation/contract/objects/tool-result.js'
import { isJsonObject, type JsonObject } from '../../foundation/mcp/json-rpc.js'
import { OWN_RESULT_KEY } from '../../foundation/mcp/meta-keys.js'
import { eachSubschema } from '../../foundation/validation/each-subschema.js'
import { resultText } from './result-text.js'

/** The data of a result that is not as its tool gave it: what was done to it stands under a key of our own. */
const ALTERED = {
  description: 'A result that was shortened or redacted on its way; its data may be incomplete.',
  type: 'object',
  properties: { [OWN_RESULT_KEY]: { type: 'object' } },
  required: [OWN_RESULT_KEY],
} as const

/** Keywords by which the rest of a schema is found or read: they hold for all of it, wherever that moves to. */
const OF_DOCUMENT = ['$schema', '$defs', 'definitions', '$comment'] as const

/**
 * An output schema as clients are told it. They refuse a success whose data does not fit, or is missing; so the schema
 * also takes the data of a result that was shortened or redacted. Nothing where a schema refers to itself in a way that
 * does not survive that: data may come without a schema.
 */
export function promisedSchema(schema: JsonSchema): JsonObject | undefined {
  if (!canMove(schema)) return undefined
  const { type } = schema
  const entries = Object.entries(schema)
  const isOfDocument = ([name]: [string, unknown]): boolean =>
    (OF_DOCUMENT as readonly string[]).includes(name)
  return {
    ...Object.fromEntries(entries.filter(isOfDocument)),
    ...(type === 'object' && { type }),
    anyOf: [Object.fromEntries(entries.filter((entry) => !isOfDocument(entry))), ALTERED],
  }
}

const OTHER_BASES = [
  '$id',
  'id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
]
const MOVES_ALONG = /^#\/(?:\$defs|definitions)\//

function canMove(schema: JsonSchema): boolean {
  try {
    let isMovable = true
    eachSubschema(schema, (each) => {
      const { $ref } = each
      if (typeof $ref === 'string' && !MOVES_ALONG.test($ref)) isMovable = false
      if (OTHER_BASES.some((keyword) => typeof each[keyword] === 'string')) isMovable = false
    })
    return isMovable
  } catch {
    return false
  }
}

/** The data of a success for a client that was promised some. */
export function promisedData(result: ToolResult, data: unknown): unknown {
  const { persisted_payload_ref: kept, redaction_state: redacted = 'none', status } = result
  const isShortened = kept !== undefined || status === 'too_large'
  if (data !== undefined && !isShortened && redacted === 'none') return data
  const said = {
    ...(isShortened && { shortened: true }),
    ...(redacted !== 'none' && { redacted }),
    ...(kept?.uri !== undefined && { ref: kept.uri }),
  }
  return isJsonObject(data)
    ? { ...data, [OWN_RESULT_KEY]: said }
    : { [OWN_RESULT_KEY]: { ...said, text: resultText(result) } }
}
