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
  },
  additionalProperties: false,
} as const

export const toolcribApprovalSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/toolcrib_approval.schema.json',
  title: 'Approval',
  description: 'One question whether a call may run, what it is bound to, and the answer.',
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
      },
      additionalProperties: false,
    },
    reviewers: { ...stringList, description: 'Who may answer, as the crib that asked names them.' },
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
        undeclared: { ...stringList, description: 'Those of them that are defaults: nobody said them.' },
      },
      additionalProperties: false,
      description: 'What the call does to the world, as it was judged.',
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
  },
  additionalProperties: false,
} as const

/** Not a record of the standard: ours, so that a waiting call can be shown and answered anywhere. */
export type ToolcribApproval = FromSchema<typeof toolcribApprovalSchema>
