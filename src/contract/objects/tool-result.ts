import { closed } from '../closed.js'
import {
  anyObject,
  contentBlockList,
  contentBlockShape,
  JSON_SCHEMA_DIALECT,
  ownFields,
  payloadRefList,
  payloadRefShape,
  schemaVersion,
  stringList,
  telemetryRefList,
} from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { openOnRead } from '../open-on-read.js'
import { abortReasons, redactionStates, resultStatuses } from '../unions.js'
import { toolErrorShape } from './tool-error.js'

export const toolResultSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_result.schema.json',
  title: 'Tool result',
  description: 'How one call ended, whatever happened, and what it gave.',
  type: 'object',
  required: ['schema_version', 'result_id', 'invocation_id', 'status', 'created_at'],
  properties: {
    schema_version: schemaVersion,
    result_id: { type: 'string' },
    invocation_id: { type: 'string' },
    status: closed(resultStatuses),
    is_error: { type: 'boolean' },
    content: contentBlockList,
    structured_content: { description: 'Machine-readable, as the output schema says.' },
    model_facing_content: {
      ...contentBlockList,
      description: 'What the model gets: cut, redacted or by reference.',
    },
    ui_facing_summary: { type: 'string' },
    ui_facing_rendering: openOnRead({
      ...anyObject,
      description: 'Hints for a screen, not the output itself.',
    }),
    transcript_search_text: openOnRead({ type: 'string' }),
    native_output: openOnRead({ description: 'What the executor gave, or a reference to it.' }),
    persisted_payload_ref: openOnRead(payloadRefShape),
    resource_refs: payloadRefList,
    artifact_refs: payloadRefList,
    evidence_refs: stringList,
    policy_refs: stringList,
    telemetry_refs: telemetryRefList,
    persistence_refs: stringList,
    summary: { type: 'string' },
    redaction_state: closed(redactionStates),
    error: toolErrorShape,
    abort_reason: openOnRead(closed(abortReasons)),
    created_at: { type: 'string' },
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolResult = FromSchema<typeof toolResultSchema>
export type ContentBlock = FromSchema<typeof contentBlockShape>
export type PayloadRef = FromSchema<typeof payloadRefShape>
