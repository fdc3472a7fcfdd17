import { JSON_SCHEMA_DIALECT, schemaVersion } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { invocationStatuses, resultStatuses } from '../unions.js'

export const toolcribDeletedRecordSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/toolcrib_deleted_record.schema.json',
  title: 'Deleted record',
  description:
    'What is left of a call whose record was deleted. It has no content; a copy of the events can be compared with it.',
  type: 'object',
  required: [
    'schema_version',
    'invocation_id',
    'tenant',
    'tool_id',
    'surface_id',
    'status',
    'created_at',
    'event_count',
    'content_sha256',
    'deletion_id',
    'deleted_at',
    'by',
  ],
  properties: {
    schema_version: schemaVersion,
    invocation_id: { type: 'string' },
    tenant: { type: 'string' },
    tool_id: { type: 'string' },
    surface_id: { type: 'string' },
    status: { enum: invocationStatuses },
    result_status: { enum: resultStatuses },
    created_at: { type: 'string' },
    ended_at: { type: 'string' },
    event_count: { type: 'integer' },
    content_sha256: {
      type: 'string',
      description: 'SHA-256, in hex, of the canonical JSON of the list of its events without their cursors.',
    },
    deletion_id: { type: 'string', description: 'The same for all calls that were deleted together.' },
    deleted_at: { type: 'string' },
    by: { type: 'string' },
    reason: { type: 'string' },
  },
  additionalProperties: false,
} as const

/** Our own record, not of the standard. */
export type ToolcribDeletedRecord = FromSchema<typeof toolcribDeletedRecordSchema>
