import type { JsonSchema } from '../../../contract/json-schema.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { OWN_RESULT_KEY } from '../../../sources/mcp/protocol/meta-keys.js'
import { eachSubschema } from '../../../platform/validation/each-subschema.js'
import type { DraftOutput } from '../../../catalog/tool-draft.js'
import { resultText } from '../../formats/result-text.js'

/** The data of an altered result: our own key says what was changed. */
const ALTERED = {
  description:
    'A result that was shortened or redacted on its way, or that the tool returned in another form; its data may be incomplete.',
  type: 'object',
  properties: { [OWN_RESULT_KEY]: { type: 'object' } },
  required: [OWN_RESULT_KEY],
} as const

/** Keywords of the whole document: they stay at the top when the rest of the schema is moved. */
const OF_DOCUMENT = ['$schema', '$defs', 'definitions', '$comment'] as const

/**
 * An output schema that also accepts the data of a shortened or redacted result. Nothing where moving the schema would
 * break its references: a tool may return data without a schema.
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
 * Clients refuse a success whose data is missing or does not match the output schema. Masks and previews are strings,
 * which match where strings have no bounds. Returns whether altered data of the tool may not match.
 */
export function mayNotFit(schema: JsonSchema, { sensitiveFields, mayDiffer }: DraftOutput): boolean {
  if (sensitiveFields !== undefined || mayDiffer) return true
  try {
    let isBound = false
    eachSubschema(schema, (each) => {
      if (OF_TEXTS.some((keyword) => each[keyword] !== undefined)) isBound = true
    })
    return isBound
  } catch {
    return false // An invalid schema stays as it is.
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

/** Whether the data of a result is not as its tool returned it. */
export function isAltered({ persisted_payload_ref: kept, redaction_state, status }: ToolResult): boolean {
  return kept !== undefined || status === 'too_large' || (redaction_state ?? 'none') !== 'none'
}

/** The data of a success for a client that has a schema which also accepts altered data. */
export function promisedData(result: ToolResult, data: unknown, { mayDiffer }: DraftOutput): unknown {
  const isOther = mayDiffer === true && result.toolcrib?.['output_unchecked'] === true
  if (data !== undefined && !isAltered(result) && !isOther) return data
  const { persisted_payload_ref: kept, redaction_state: redacted = 'none', status } = result
  const changes = {
    ...((kept !== undefined || status === 'too_large') && { shortened: true }),
    ...(redacted !== 'none' && { redacted }),
    ...(isOther && { unchecked: true }),
    ...(kept?.uri !== undefined && { ref: kept.uri }),
  }
  return isObject(data)
    ? { ...data, [OWN_RESULT_KEY]: changes }
    : { [OWN_RESULT_KEY]: { ...changes, text: resultText(result) } }
}
