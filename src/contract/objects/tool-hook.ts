import { closed } from '../closed.js'
import { anyObject, JSON_SCHEMA_DIALECT, objectList, ownFields, schemaVersion } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { hookEvents, hookOutputKinds, permissionBehaviors } from '../unions.js'

export const toolHookSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_hook.schema.json',
  title: 'Tool hook',
  description: 'One outside opinion around a call: when it was asked and what it said.',
  type: 'object',
  required: ['schema_version', 'hook_id', 'hook_event'],
  properties: {
    schema_version: schemaVersion,
    hook_id: { type: 'string' },
    hook_event: { enum: hookEvents },
    invocation_id: { type: 'string' },
    tool_id: { type: 'string' },
    matcher: { ...anyObject, description: 'Which calls it wants to see.' },
    outputs: {
      type: 'array',
      description: 'All that it said, in order.',
      items: {
        type: 'object',
        required: ['type'],
        properties: {
          type: closed(hookOutputKinds),
          text: { type: 'string' },
          value: {},
          ref: { type: 'string', description: 'Where a new input or output is kept.' },
          toolcrib: ownFields,
        },
        additionalProperties: true,
      },
    },
    permission_result: {
      type: 'object',
      required: ['behavior'],
      description: 'A hint for the decision; it lifts no deny and no ask.',
      properties: {
        behavior: { enum: permissionBehaviors },
        message: { type: 'string' },
        toolcrib: ownFields,
      },
      additionalProperties: true,
    },
    updated_input: { description: 'The input that it wants instead.' },
    additional_context: objectList,
    stop: {
      type: 'object',
      description: 'It wants the call to end here.',
      properties: { message: { type: 'string' }, toolcrib: ownFields },
      additionalProperties: true,
    },
    updated_output: { description: 'The output that it wants instead.' },
    started_at: { type: 'string' },
    ended_at: { type: 'string' },
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolHook = FromSchema<typeof toolHookSchema>
