import { closed } from '../closed.js'
import { anyObject, JSON_SCHEMA_DIALECT, ownFields, schemaVersion, stringList } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { openOnRead } from '../open-on-read.js'
import { ownSurfaceReasons, surfaceReasons, surfaceScopes } from '../unions.js'
import { deferredToolRefShape } from './deferred-tool-ref.js'

const hiddenTools = {
  type: 'array',
  items: {
    type: 'object',
    required: ['tool_id', 'reason'],
    properties: {
      tool_id: { type: 'string' },
      name: { type: 'string' },
      reason: closed([...surfaceReasons, ...ownSurfaceReasons]),
      message: { type: 'string', description: 'The same reason for people.' },
      policy_refs: stringList,
      toolcrib: ownFields,
    },
    additionalProperties: true,
  },
} as const

export const toolSurfaceSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_surface.schema.json',
  title: 'Tool surface',
  description: 'Which tools one caller sees now, which it may still find, and why not the rest.',
  type: 'object',
  required: ['schema_version', 'surface_id', 'scope'],
  properties: {
    schema_version: schemaVersion,
    surface_id: { type: 'string' },
    scope: closed(surfaceScopes),
    created_at: { type: 'string' },
    producer: { type: 'string' },
    tool_refs: {
      ...stringList,
      description: 'All that were considered, each in the version that it had then.',
    },
    loaded_tools: {
      type: 'array',
      items: openOnRead({ type: 'string' }),
      description: 'Ids of the tools whose schemas are visible.',
    },
    deferred_tools: { type: 'array', items: openOnRead(deferredToolRefShape) },
    blocked_tools: { ...hiddenTools, description: 'Forbidden or not ready here.' },
    excluded_tools: {
      ...hiddenTools,
      description: 'Filtered out by role, recursion, feature, model or policy.',
    },
    selection_policy: anyObject,
    default_tool_choice: { description: 'auto, none, required, or a hint at one tool.' },
    capability_requirements: stringList,
    model_capabilities: { ...anyObject, description: 'What the model on the other side can do.' },
    role_constraints: anyObject,
    surface_reason: { type: 'string', description: 'Why this surface was made.' },
    policy_refs: stringList,
    runtime_refs: stringList,
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolSurface = FromSchema<typeof toolSurfaceSchema>
