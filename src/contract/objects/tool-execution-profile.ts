import { closed } from '../closed.js'
import { JSON_SCHEMA_DIALECT, ownFields, schemaVersion } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { openOnRead } from '../open-on-read.js'
import { executionKinds } from '../unions.js'
import { toolExternalMappingShape } from './tool-external-mapping.js'

/** Each is stated, yes or no: an unstated capability would be guessed. */
export const capabilityFields = [
  'supports_progress',
  'supports_cancel',
  'supports_timeout',
  'supports_resume',
  'supports_retries',
  'supports_partial_results',
  'supports_background',
  'supports_result_persistence',
  'supports_artifacts',
  'sandboxed',
  'supports_credential_delegation',
  'supports_offline',
  'supports_context_modifiers',
] as const
export type CapabilityField = (typeof capabilityFields)[number]

export const toolExecutionProfileSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_execution_profile.schema.json',
  title: 'Execution profile',
  description: 'How a tool is run, and what its execution can and cannot do.',
  type: 'object',
  required: ['schema_version', 'execution_profile_id', 'execution_kind'],
  'x-toolcrib-emit-required': capabilityFields,
  properties: {
    schema_version: schemaVersion,
    execution_profile_id: { type: 'string' },
    execution_kind: closed(executionKinds),
    supports_progress: { type: 'boolean' },
    supports_cancel: { type: 'boolean' },
    supports_timeout: openOnRead({ type: 'boolean' }),
    supports_resume: { type: 'boolean' },
    supports_retries: { type: 'boolean' },
    supports_partial_results: { type: 'boolean' },
    supports_background: { type: 'boolean' },
    supports_result_persistence: openOnRead({ type: 'boolean' }),
    supports_artifacts: { type: 'boolean' },
    sandboxed: { type: 'boolean' },
    supports_credential_delegation: openOnRead({ type: 'boolean' }),
    supports_offline: openOnRead({ type: 'boolean' }),
    supports_context_modifiers: { type: 'boolean' },
    sandbox_profile: { type: 'string' },
    timeout_ms: { type: 'integer' },
    external_mappings: { type: 'array', items: toolExternalMappingShape },
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolExecutionProfile = FromSchema<typeof toolExecutionProfileSchema>
