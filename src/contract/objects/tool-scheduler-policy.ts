import { JSON_SCHEMA_DIALECT, ownFields, schemaVersion } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { openOnRead } from '../open-on-read.js'
import {
  contextModifierPolicies,
  interruptBehaviors,
  orderingPolicies,
  siblingFailurePolicies,
  yieldPolicies,
} from '../unions.js'

export const toolSchedulerPolicySchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_scheduler_policy.schema.json',
  title: 'Scheduler policy',
  description: 'How several calls run beside and after each other.',
  type: 'object',
  required: ['schema_version', 'scheduler_policy_id'],
  properties: {
    schema_version: schemaVersion,
    scheduler_policy_id: { type: 'string' },
    scope: { type: 'string' },
    max_parallel: { type: 'integer' },
    concurrency_safe: openOnRead({
      type: 'boolean',
      description: 'Whether the calls may run side by side at all.',
    }),
    ordering_policy: { enum: orderingPolicies },
    yield_policy: { enum: yieldPolicies },
    interrupt_behavior: { enum: interruptBehaviors },
    sibling_failure_policy: { enum: siblingFailurePolicies },
    context_modifier_policy: { enum: contextModifierPolicies },
    resource_locks: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key'],
        properties: {
          key: { type: 'string', description: 'What is held.' },
          mode: { type: 'string', enum: ['shared', 'exclusive'] },
          toolcrib: ownFields,
        },
        additionalProperties: true,
      },
    },
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolSchedulerPolicy = FromSchema<typeof toolSchedulerPolicySchema>
