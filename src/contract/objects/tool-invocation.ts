import { closed } from '../closed.js'
import {
  JSON_SCHEMA_DIALECT,
  objectList,
  ownFields,
  payloadRefList,
  schemaVersion,
  stringList,
  telemetryRefList,
} from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { openOnRead } from '../open-on-read.js'
import {
  abortReasons,
  contextModifierPolicies,
  interruptBehaviors,
  invocationStatuses,
  queueStates,
} from '../unions.js'

const schedulerFacts = {
  type: 'object',
  description: 'What the scheduler knows of this call with this input.',
  properties: {
    state: closed(queueStates),
    is_concurrency_safe: { type: 'boolean' },
    is_read_only: { type: 'boolean' },
    is_destructive: { type: 'boolean' },
    is_open_world: { type: 'boolean' },
    requires_exclusive_context: { type: 'boolean' },
    interrupt_behavior: { enum: interruptBehaviors },
    context_modifier_policy: { enum: contextModifierPolicies },
    resource_locks: objectList,
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export const toolInvocationSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_invocation.schema.json',
  title: 'Tool invocation',
  description: 'One call, from being asked for to its end.',
  type: 'object',
  required: ['schema_version', 'invocation_id', 'tool_id', 'status', 'created_at'],
  properties: {
    schema_version: schemaVersion,
    invocation_id: { type: 'string' },
    tool_id: { type: 'string' },
    surface_id: { type: 'string' },
    native_call_id: {
      type: 'string',
      description: 'The id that the provider of the model, or the protocol, gave the call.',
    },
    status: closed(invocationStatuses),
    model_input: { description: 'What the caller wrote; never changed.' },
    model_input_ref: { type: 'string' },
    observable_input: { description: 'A normalised copy for hooks, prompts and transcripts.' },
    observable_input_ref: { type: 'string' },
    permission_input: { description: 'What was judged.' },
    permission_input_ref: { type: 'string' },
    call_input: { description: 'What ran.' },
    call_input_ref: { type: 'string' },
    actor_ref: { type: 'string' },
    runtime_refs: stringList,
    policy_refs: stringList,
    permission_decision_refs: stringList,
    approval_request_ref: openOnRead({ type: 'string' }),
    hook_refs: stringList,
    evidence_refs: stringList,
    telemetry_refs: telemetryRefList,
    artifact_refs: payloadRefList,
    scheduler_policy_ref: { type: 'string' },
    scheduler: openOnRead(schedulerFacts),
    status_transitions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['to', 'at'],
        properties: {
          from: { ...closed(invocationStatuses), description: 'Absent on the first.' },
          to: closed(invocationStatuses),
          at: { type: 'string' },
          reason: { type: 'string' },
          toolcrib: ownFields,
        },
        additionalProperties: true,
      },
    },
    cancel_requested: openOnRead({ type: 'boolean' }),
    cancel_acknowledged: openOnRead({ type: 'boolean' }),
    cancel_failed: openOnRead({ type: 'boolean' }),
    abort_reason: openOnRead(closed(abortReasons)),
    created_at: { type: 'string' },
    started_at: { type: 'string' },
    ended_at: { type: 'string' },
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolInvocation = FromSchema<typeof toolInvocationSchema>
