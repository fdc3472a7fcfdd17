import { JSON_SCHEMA_DIALECT, schemaVersion, stringList } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { approvalScopes, approvalStatuses } from '../unions.js'
import { toolPermissionDecisionSchema } from './tool-permission-decision.js'

const { $schema: _dialect, $id: _id, ...decision } = toolPermissionDecisionSchema

const answer = {
  type: 'object',
  required: ['by', 'at', 'approved', 'scope', 'user_modified'],
  properties: {
    by: { type: 'string', description: 'Who answered.' },
    at: { type: 'string' },
    approved: { type: 'boolean' },
    feedback: { type: 'string', description: 'What they said; the model reads it after a no.' },
    user_modified: { type: 'boolean', description: 'They put another input in its place.' },
    input: { description: 'That input, redacted.' },
    input_digest: { type: 'string', description: 'Of that input, whole.' },
    scope: { enum: approvalScopes },
    accepted_update: { type: 'object', additionalProperties: true },
    policy_revision: { type: 'string', description: 'After the accepted update.' },
    content: { description: 'What they filled into the form, redacted.' },
    content_digest: { type: 'string', description: 'Of that content, whole.' },
  },
  additionalProperties: false,
} as const

const delivery = {
  type: 'object',
  properties: {
    announced_at: { type: 'string', description: 'When the announcement of the question was accepted.' },
    attempts: { type: 'integer', description: 'How often the announcement was tried.' },
    problem: { type: 'string', description: 'Why the last announcement failed.' },
    reminders: { type: 'integer' },
    reminded_at: { type: 'string' },
    late_answers: {
      type: 'array',
      items: {
        type: 'object',
        required: ['by', 'at', 'approved'],
        properties: { by: { type: 'string' }, at: { type: 'string' }, approved: { type: 'boolean' } },
        additionalProperties: false,
      },
      description: 'Answers after the time limit. They changed nothing.',
    },
  },
  additionalProperties: false,
  description: 'How the question was made known. Added when the record is read; it is not signed.',
} as const

export const toolcribApprovalSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/toolcrib_approval.schema.json',
  title: 'Approval',
  description:
    'One question whether a call may run, or with a form what its result is; what it is bound to, and the answer.',
  type: 'object',
  required: [
    'schema_version',
    'approval_id',
    'invocation_id',
    'tenant',
    'tool_id',
    'tool_fingerprint',
    'input_digest',
    'policy_revision',
    'surface_id',
    'requested_by',
    'title',
    'description',
    'message',
    'decision',
    'is_editable',
    'created_at',
    'expires_at',
    'status',
  ],
  properties: {
    schema_version: schemaVersion,
    approval_id: { type: 'string' },
    invocation_id: { type: 'string' },
    tenant: { type: 'string' },
    tool_id: { type: 'string' },
    tool_fingerprint: { type: 'string' },
    input_digest: { type: 'string', description: 'Of the judged input, keyed: it gives nothing away.' },
    policy_revision: { type: 'string' },
    surface_id: { type: 'string' },
    session: { type: 'string' },
    requested_by: {
      type: 'object',
      required: ['above'],
      properties: {
        actor: { type: 'string' },
        client: { type: 'string', description: 'The program that made the call, as it names itself.' },
        above: { ...stringList, description: 'The actors above the one that made the call.' },
        held_by: { ...stringList, description: 'The actors that made the token of the call, or know it.' },
      },
      additionalProperties: false,
    },
    reviewers: { ...stringList, description: 'Who may answer, as the crib that asked names them.' },
    assigned_to: { ...stringList, description: 'Only these of the reviewers may answer.' },
    queue: { type: 'string', description: 'A label by which questions are sorted.' },
    form: {
      type: 'object',
      additionalProperties: true,
      description: 'JSON Schema of the answer. The answer is then the result of the call.',
    },
    title: { type: 'string' },
    description: { type: 'string' },
    message: { type: 'string', description: 'Why the call is asked about.' },
    input: { description: 'What would run, redacted.' },
    facts: {
      type: 'object',
      required: ['is_read_only', 'is_destructive', 'is_open_world'],
      properties: {
        is_read_only: { type: 'boolean' },
        is_destructive: { type: 'boolean' },
        is_open_world: { type: 'boolean' },
        undeclared: {
          ...stringList,
          description: 'Those of them that are defaults: they were not declared.',
        },
      },
      additionalProperties: false,
      description: 'The effects of the call, as they were judged.',
    },
    touches: {
      type: 'object',
      properties: { reads: stringList, writes: stringList, hosts: stringList },
      additionalProperties: false,
      description:
        'Paths and hosts that the input names and hosts that the tool states, redacted; the first of each kind.',
    },
    decision: {
      ...decision,
      description: 'The decision to ask, with the changes of rules that an answer may accept.',
    },
    is_editable: { type: 'boolean', description: 'Whether an answer may put another input in its place.' },
    created_at: { type: 'string' },
    expires_at: { type: 'string' },
    status: { enum: approvalStatuses },
    answer,
    delivery,
  },
  additionalProperties: false,
} as const

/** Our own record, not of the standard, so that a pending call can be shown and answered anywhere. */
export type ToolcribApproval = FromSchema<typeof toolcribApprovalSchema>
