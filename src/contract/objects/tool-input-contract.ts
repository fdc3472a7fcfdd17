import { closed } from '../closed.js'
import { anyObject, JSON_SCHEMA_DIALECT, ownFields, schemaVersion, stringList } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { openOnRead } from '../open-on-read.js'
import { argumentModes, mutationPolicies } from '../unions.js'

/** Also used inside declarations. */
export const toolInputContractShape = {
  type: 'object',
  properties: {
    schema_version: schemaVersion,
    model_input_schema: { ...anyObject, description: 'What the model may write.' },
    runtime_input_schema: { ...anyObject, description: 'What may run: the same and internal fields.' },
    strict: { type: 'boolean' },
    defaults: openOnRead(anyObject),
    examples: openOnRead({ type: 'array' }),
    sensitive_fields: { ...stringList, description: 'Kept out of records, logs and telemetry.' },
    internal_only_fields: {
      ...stringList,
      description: 'Never shown to the model, refused when it writes them.',
    },
    argument_mode: closed(argumentModes),
    mutation_policy: openOnRead({ ...closed(mutationPolicies), description: 'Who may replace the input.' }),
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export const toolInputContractSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_input_contract.schema.json',
  title: 'Input contract',
  description: 'What a tool accepts, from the model and from the runtime, and who may change it.',
  ...toolInputContractShape,
} as const

export type ToolInputContract = FromSchema<typeof toolInputContractSchema>
