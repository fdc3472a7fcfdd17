import { closed } from '../closed.js'
import { JSON_SCHEMA_DIALECT, ownFields, schemaVersion } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { openOnRead } from '../open-on-read.js'
import { searchQueryTypes } from '../unions.js'

export const toolSearchResultSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_search_result.schema.json',
  title: 'Tool search result',
  description: 'What a search among the tools found, and what it could not know yet.',
  type: 'object',
  required: ['query', 'query_type', 'matches'],
  'x-toolcrib-emit-required': ['schema_version'],
  properties: {
    schema_version: schemaVersion,
    query: { type: 'string' },
    query_type: closed(searchQueryTypes),
    matches: { type: 'array', items: openOnRead({ type: 'string' }), description: 'Tool ids, best first.' },
    total_deferred_tools: { type: 'integer' },
    pending_providers: {
      type: 'array',
      items: openOnRead({ type: 'string' }),
      description: 'Who is still connecting, so that its tools are missing.',
    },
    missing_names: {
      type: 'array',
      items: openOnRead({ type: 'string' }),
      description: 'Names asked for exactly that no tool has.',
    },
    next_action: openOnRead({ type: 'string', description: 'What the caller should do now.' }),
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolSearchResult = FromSchema<typeof toolSearchResultSchema>
