import { closed } from '../closed.js'
import { anyObject, JSON_SCHEMA_DIALECT, ownFields, schemaVersion } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { openOnRead } from '../open-on-read.js'
import { contentClasses } from '../unions.js'

/** Also used inside declarations. */
export const toolOutputContractShape = {
  type: 'object',
  properties: {
    schema_version: schemaVersion,
    structured_schema: { ...anyObject, description: 'What structured content conforms to.' },
    content_types: openOnRead({ type: 'array', items: closed(contentClasses) }),
    artifact_expectations: openOnRead(anyObject),
    max_inline_bytes: { type: 'integer' },
    max_inline_chars: { type: 'integer' },
    persistence_policy_ref: { type: 'string' },
    rendering_boundary: openOnRead({
      ...anyObject,
      description: 'What is for the model, for the screen and for the search of a transcript.',
    }),
    redaction_rules: openOnRead({ type: 'array', items: anyObject }),
    fallback_summary: openOnRead({
      type: 'string',
      description: 'What to say when the content cannot be shown.',
    }),
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export const toolOutputContractSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_output_contract.schema.json',
  title: 'Output contract',
  description: 'What a tool gives back, and how much of it may stand in a prompt.',
  ...toolOutputContractShape,
} as const

export type ToolOutputContract = FromSchema<typeof toolOutputContractSchema>
