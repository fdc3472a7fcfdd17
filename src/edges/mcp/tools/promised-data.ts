import type { JsonSchema } from '../../../contract/json-schema.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import { isJsonObject, type JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { OWN_RESULT_KEY } from '../../../sources/mcp/protocol/meta-keys.js'
import { eachSubschema } from '../../../platform/validation/each-subschema.js'
import type { DraftOutput } from '../../../catalog/tool-draft.js'
import { resultText } from '../../formats/result-text.js'

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
 * An output schema that also takes the data of a result that was shortened or redacted. Nothing where the schema refers to
 * itself in a way that does not survive that: data may come without a schema.
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

const OF_TEXTS = ['pattern', 'format', 'minLength', 'maxLength', 'patternProperties']

/**
 * Clients refuse a success whose data does not fit the schema that they were told, or is missing. Masks and previews are
 * texts, which fit where texts have no bounds: says whether what may be done to the data of any tool can make it unfit.
 */
export function mayNotFit(schema: JsonSchema, { sensitiveFields }: DraftOutput): boolean {
  if (sensitiveFields !== undefined) return true
  try {
    let isBound = false
    eachSubschema(schema, (each) => {
      if (OF_TEXTS.some((keyword) => each[keyword] !== undefined)) isBound = true
    })
    return isBound
  } catch {
    return false // what is no schema is nobody's to change
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

/** Whether the data of a result is not as its tool gave it. */
export function isAltered({ persisted_payload_ref: kept, redaction_state, status }: ToolResult): boolean {
  return kept !== undefined || status === 'too_large' || (redaction_state ?? 'none') !== 'none'
}

/** The data of a success for a client that was told a schema which also takes altered data. */
export function promisedData(result: ToolResult, data: unknown): unknown {
  if (data !== undefined && !isAltered(result)) return data
  const { persisted_payload_ref: kept, redaction_state: redacted = 'none', status } = result
  const said = {
    ...((kept !== undefined || status === 'too_large') && { shortened: true }),
    ...(redacted !== 'none' && { redacted }),
    ...(kept?.uri !== undefined && { ref: kept.uri }),
  }
  return isJsonObject(data)
    ? { ...data, [OWN_RESULT_KEY]: said }
    : { [OWN_RESULT_KEY]: { ...said, text: resultText(result) } }
}
