import { JSON_SCHEMA_DIALECT, ownFields, schemaVersion, stringList } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { mutationSources } from '../unions.js'

export const toolInputMutationSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_input_mutation.schema.json',
  title: 'Input mutation',
  description: 'One change of the input of a call: who made it, what changed, why.',
  type: 'object',
  required: ['schema_version', 'mutation_id', 'invocation_id', 'source_type', 'created_at'],
  properties: {
    schema_version: schemaVersion,
    mutation_id: { type: 'string' },
    invocation_id: { type: 'string' },
    source_type: { enum: mutationSources },
    source_ref: { type: 'string' },
    from_input_ref: { type: 'string' },
    to_input_ref: { type: 'string' },
    changed_fields: { ...stringList, description: 'JSON pointers into the input.' },
    reason: { type: 'string' },
    created_at: { type: 'string' },
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolInputMutation = FromSchema<typeof toolInputMutationSchema>
