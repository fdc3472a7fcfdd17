import { closed } from '../closed.js'
import { JSON_SCHEMA_DIALECT, ownFields, payloadRefShape, schemaVersion } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { persistenceStrategies, redactionStates } from '../unions.js'

export const toolResultPersistenceSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_result_persistence.schema.json',
  title: 'Result persistence',
  description: 'Where the bytes of a result went: into the prompt, into a file, or nowhere.',
  type: 'object',
  required: ['schema_version', 'decision_id', 'invocation_id', 'strategy', 'created_at'],
  properties: {
    schema_version: schemaVersion,
    decision_id: { type: 'string' },
    invocation_id: { type: 'string' },
    result_id: { type: 'string' },
    strategy: { enum: persistenceStrategies },
    threshold: {
      type: 'object',
      properties: {
        max_inline_chars: { type: 'integer' },
        max_inline_bytes: { type: 'integer' },
        toolcrib: ownFields,
      },
      additionalProperties: true,
    },
    original_size_bytes: { type: 'integer' },
    preview_size_bytes: { type: 'integer' },
    persisted_ref: payloadRefShape,
    redaction_state: closed(redactionStates),
    reason: { type: 'string' },
    created_at: { type: 'string' },
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolResultPersistence = FromSchema<typeof toolResultPersistenceSchema>
