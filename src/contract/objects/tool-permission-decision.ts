import { closed } from '../closed.js'
import {
  anyObject,
  contentBlockList,
  JSON_SCHEMA_DIALECT,
  objectList,
  ownFields,
  schemaVersion,
  stringList,
} from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { openOnRead } from '../open-on-read.js'
import { ownDecisionSources, permissionBehaviors, reasonTypes, ruleSources } from '../unions.js'

export const toolPermissionDecisionSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_permission_decision.schema.json',
  title: 'Permission decision',
  description: 'What was decided about one call, by whom and why.',
  type: 'object',
  required: ['schema_version', 'decision_id', 'invocation_id', 'behavior', 'decided_at'],
  properties: {
    schema_version: schemaVersion,
    decision_id: { type: 'string' },
    invocation_id: { type: 'string' },
    behavior: { enum: permissionBehaviors },
    mode: { type: 'string', description: 'The permission mode that was on.' },
    source: { ...closed([...ruleSources, ...ownDecisionSources]), description: 'Whose rule or word it was.' },
    reason: {
      type: 'object',
      required: ['type'],
      properties: {
        type: closed(reasonTypes),
        rule_ref: { type: 'string' },
        message: { type: 'string' },
        toolcrib: ownFields,
      },
      additionalProperties: true,
    },
    rule_refs: stringList,
    policy_refs: stringList,
    updated_input: { description: 'What the decider wants to run instead.' },
    updated_input_ref: { type: 'string' },
    user_modified: { type: 'boolean' },
    suggested_updates: { ...objectList, description: 'Changes of rules offered, not yet made.' },
    pending_classifier_check: { ...anyObject, description: 'A classifier that has not answered yet.' },
    classifier_ref: openOnRead({ type: 'string' }),
    confidence: openOnRead({ type: 'number', description: 'How sure the classifier is, 0 to 1.' }),
    classifier_reason: openOnRead({ type: 'string' }),
    blocked_path: { type: 'string' },
    content_blocks: { ...contentBlockList, description: 'What the decider adds for the model.' },
    accept_feedback: { type: 'string', description: 'What the person said while allowing it.' },
    decided_at: { type: 'string' },
    expires_at: { type: 'string' },
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolPermissionDecision = FromSchema<typeof toolPermissionDecisionSchema>
