import { closed } from '../closed.js'
import { anyObject, JSON_SCHEMA_DIALECT, ownFields, schemaVersion } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { loadingStates, ownSurfaceReasons, schemaVisibilities, surfaceReasons } from '../unions.js'

/** Also used inside surfaces. */
export const deferredToolRefShape = {
  type: 'object',
  required: ['schema_version', 'tool_id', 'name', 'loading_state'],
  properties: {
    schema_version: schemaVersion,
    tool_id: { type: 'string' },
    name: { type: 'string' },
    namespace: { type: 'string' },
    search_hint: { type: 'string' },
    source: { type: 'string', description: 'Where the tool comes from.' },
    schema_visibility: { enum: schemaVisibilities },
    loading_state: { enum: loadingStates },
    reason: { ...closed([...surfaceReasons, ...ownSurfaceReasons]), description: 'Why it is not loaded.' },
    pending_provider_or_server: { type: 'string', description: 'Who is still connecting.' },
    selection_ref: { type: 'string', description: 'What to pass to tool search to load exactly this tool.' },
    native_ref: { ...anyObject, description: 'Its names in its own protocol.' },
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export const deferredToolRefSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/deferred_tool_ref.schema.json',
  title: 'Deferred tool reference',
  description: 'A tool that can be found and loaded, but whose schema is not in the context.',
  ...deferredToolRefShape,
} as const

export type DeferredToolRef = FromSchema<typeof deferredToolRefSchema>
