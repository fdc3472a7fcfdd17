import { closed } from '../closed.js'
import { JSON_SCHEMA_DIALECT, ownFields, payloadRefList, schemaVersion, stringList } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { progressStatuses } from '../unions.js'

export const toolProgressSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_progress.schema.json',
  title: 'Tool progress',
  description: 'One sign of life of a running call; sequence puts them in order.',
  type: 'object',
  required: ['schema_version', 'progress_id', 'invocation_id', 'sequence', 'status', 'timestamp'],
  properties: {
    schema_version: schemaVersion,
    progress_id: { type: 'string' },
    invocation_id: { type: 'string' },
    sequence: { type: 'integer' },
    status: closed(progressStatuses),
    message: { type: 'string' },
    percent: { type: 'number', minimum: 0, maximum: 100 },
    current_step: { type: 'string' },
    total_steps: { type: 'integer' },
    elapsed_ms: { type: 'integer' },
    bytes_read: { type: 'integer' },
    bytes_written: { type: 'integer' },
    line_count: { type: 'integer' },
    task_id: { type: 'string', description: 'The background task, where there is one.' },
    partial_result_refs: stringList,
    artifact_refs: payloadRefList,
    timestamp: { type: 'string' },
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolProgress = FromSchema<typeof toolProgressSchema>
