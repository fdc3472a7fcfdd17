import { JSON_SCHEMA_DIALECT, ownFields, schemaVersion } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'

export const toolNamespaceSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_namespace.schema.json',
  title: 'Tool namespace',
  description: 'A group of tools of one origin, within which names are unique.',
  type: 'object',
  required: ['namespace'],
  'x-toolcrib-emit-required': ['schema_version'],
  properties: {
    schema_version: schemaVersion,
    namespace: { type: 'string' },
    title: { type: 'string' },
    description: { type: 'string' },
    source: { type: 'string', description: 'The server, skill, provider, domain or runtime behind it.' },
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolNamespace = FromSchema<typeof toolNamespaceSchema>
