import { closed } from '../closed.js'
import {
  anyObject,
  factOrClassifier,
  JSON_SCHEMA_DIALECT,
  ownFields,
  schemaVersion,
  stringList,
} from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { openOnRead } from '../open-on-read.js'
import { contextModifierPolicies, interruptBehaviors, schemaVisibilities } from '../unions.js'
import { toolExternalMappingShape } from './tool-external-mapping.js'

export const toolInterfaceSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_interface.schema.json',
  title: 'Tool interface',
  description: 'How a declared tool behaves: checked, permitted, run, shown and kept.',
  type: 'object',
  required: ['schema_version', 'interface_id', 'tool_id'],
  properties: {
    schema_version: schemaVersion,
    interface_id: { type: 'string' },

    // Identity.
    tool_id: { type: 'string' },
    name: { type: 'string' },
    aliases: stringList,
    namespace: openOnRead({ type: 'string' }),
    native_ids: openOnRead({ ...anyObject, description: 'Its names in its own protocol.' }),
    user_facing_name: openOnRead({ type: 'string' }),

    // Discovery.
    search_hint: { type: 'string' },
    description: openOnRead({ type: 'string' }),
    capability_refs: openOnRead(stringList),
    schema_visibility: { enum: schemaVisibilities },
    should_defer: openOnRead({ type: 'boolean' }),
    always_load: openOnRead({ type: 'boolean' }),

    // Schemas.
    model_input_schema: { ...anyObject, description: 'What the model may write.' },
    runtime_input_schema: { ...anyObject, description: 'What may run: the same and internal fields.' },
    output_schema: anyObject,
    strict: { type: 'boolean' },

    // Availability.
    is_enabled: factOrClassifier,
    requires_setup: openOnRead({ type: 'boolean' }),
    required_credentials: openOnRead(stringList),
    model_requirements: openOnRead(anyObject),
    feature_gate_refs: openOnRead(stringList),

    // Validation.
    schema_validation: openOnRead({ type: ['boolean', 'string'] }),
    value_validation: openOnRead({ type: ['boolean', 'string'] }),
    io_preflight_validation: openOnRead({ type: ['boolean', 'string'] }),
    deny_before_io: openOnRead({
      type: 'boolean',
      description: 'Whether refusal comes before any file or network.',
    }),

    // Safety. A string names the classifier that determines the fact for one input.
    is_read_only: factOrClassifier,
    is_concurrency_safe: factOrClassifier,
    is_destructive: factOrClassifier,
    is_open_world: factOrClassifier,
    requires_user_interaction: { type: 'boolean' },
    sandbox_profile: openOnRead({ type: 'string' }),
    classifier_input: { description: 'What a safety classifier gets to see of the input.' },

    // Permission.
    permission_profile_ref: { type: 'string' },
    permission_matcher: {
      type: 'string',
      description: 'How rules are compared with this tool: path, command, …',
    },
    permission_channel: openOnRead({ type: 'string' }),
    decision_ref: openOnRead({ type: 'string' }),

    // Execution.
    execution_profile_ref: { type: 'string' },
    timeout_ms: openOnRead({ type: 'integer' }),
    abort_semantics: openOnRead({ type: 'string' }),
    interrupt_behavior: openOnRead({ enum: interruptBehaviors }),
    progress_schema: openOnRead(anyObject),
    context_modifier_policy: openOnRead(closed(contextModifierPolicies)),

    // Result.
    result_mapper: openOnRead({ type: 'string' }),
    max_inline_chars: { type: 'integer' },
    persistence_policy_ref: { type: 'string' },
    empty_result_policy: openOnRead({ type: 'string' }),
    redaction_policy_refs: openOnRead(stringList),

    rendering: {
      type: 'object',
      properties: {
        ui_summary: { type: 'string' },
        activity_description: { type: 'string' },
        progress_render_hint: { type: 'string' },
        rejected_render_hint: { type: 'string' },
        error_render_hint: { type: 'string' },
        transcript_search_text: { type: 'string' },
      },
      additionalProperties: true,
    },

    external_mappings: { type: 'array', items: toolExternalMappingShape },
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolInterface = FromSchema<typeof toolInterfaceSchema>
