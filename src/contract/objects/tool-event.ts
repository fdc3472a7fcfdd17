import { closed } from '../closed.js'
import {
  anyObject,
  JSON_SCHEMA_DIALECT,
  ownFields,
  schemaVersion,
  telemetryRefList,
} from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { eventClasses, ownEventClasses } from '../unions.js'

export const toolEventSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_event.schema.json',
  title: 'Tool event',
  description: 'One thing that happened to a tool, a surface or a call.',
  type: 'object',
  required: ['schema_version', 'event_id', 'event_type', 'source', 'time'],
  properties: {
    schema_version: schemaVersion,
    event_id: { type: 'string' },
    event_type: closed([...eventClasses, ...ownEventClasses]),
    source: { type: 'string', description: 'Who says so.' },
    subject: { type: 'string', description: 'What it is about, where it is not a call.' },
    time: { type: 'string' },
    invocation_id: { type: 'string' },
    tool_id: { type: 'string' },
    data: anyObject,
    trace_refs: telemetryRefList,
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolEvent = FromSchema<typeof toolEventSchema>
