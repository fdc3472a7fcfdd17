import { closed } from '../closed.js'
import { anyObject, JSON_SCHEMA_DIALECT, ownFields, schemaVersion, stringList } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { lifecycleStates, toolKinds } from '../unions.js'
import { toolExternalMappingShape } from './tool-external-mapping.js'
import { toolInputContractShape } from './tool-input-contract.js'
import { toolOutputContractShape } from './tool-output-contract.js'

export const toolDeclarationSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_declaration.schema.json',
  title: 'Tool declaration',
  description:
    'One capability that can be called: what it is named, what it is for, what it takes and gives.',
  type: 'object',
  required: ['schema_version', 'tool_id', 'namespace', 'name', 'description', 'lifecycle', 'tool_kind'],
  properties: {
    schema_version: schemaVersion,
    tool_id: { type: 'string' },
    namespace: { type: 'string', description: 'Keeps equal names of different origins apart.' },
    name: { type: 'string' },
    aliases: { ...stringList, description: 'Older names that still work.' },
    search_hint: { type: 'string', description: 'A few words by which the tool is found.' },
    title: { type: 'string' },
    description: { type: 'string', description: 'For the model: when to use the tool and when not.' },
    lifecycle: { enum: lifecycleStates },
    tool_kind: closed(toolKinds),
    capability_refs: stringList,
    input_contract: toolInputContractShape,
    output_contract: toolOutputContractShape,
    interface_ref: { type: 'string' },
    execution_profile_ref: { type: 'string' },
    permission_profile_ref: { type: 'string' },
    external_mappings: { type: 'array', items: toolExternalMappingShape },
    annotations: {
      ...anyObject,
      description: 'Hints of the author of the tool; not to be trusted by themselves.',
    },
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolDeclaration = FromSchema<typeof toolDeclarationSchema>
