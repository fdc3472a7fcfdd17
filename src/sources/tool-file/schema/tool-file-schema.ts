import type { JsonSchema } from '../../../contract/json-schema.js'
import { ID_PATTERN, VERSION_PATTERN } from '../compile/compile-tool.js'
import { toolStatuses, toolTypes } from '../compiled.js'
import { credentialDefinitions } from './credentials-schema.js'
import { described, text, textOrTexts, texts } from './field-shapes.js'
import { interfaceDefinitions } from './interface-schema.js'
import { transportSchema } from './transport-schema.js'

const topLevel = { $ref: '#/definitions/topLevel' }

/** The front matter of `tools/<tool_id>.tool.md`. */
export const toolFileSchema: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'AML tool file',
  type: 'object',
  required: ['spec_version', 'tool_id', 'version', 'status', 'meta', 'type', 'interface', 'use_guidance'],
  properties: {
    spec_version: { const: '1.2', description: 'The version of AML, in quotes.' },
    tool_id: {
      type: 'string',
      pattern: ID_PATTERN,
      description:
        'The id of the tool, and the name of this file. It never changes once an agent refers to it.',
    },
    version: {
      type: 'string',
      pattern: VERSION_PATTERN,
      description:
        'The semantic version, raised with each published change; the major version for breaking changes.',
    },
    status: {
      enum: toolStatuses,
      description: 'Only active and deprecated tools can be called; no agent may refer to a disabled one.',
    },
    meta: {
      type: 'object',
      description: 'What people and models read about the tool.',
      required: ['name', 'description', 'owner'],
      properties: {
        name: described(text, 'The name that people see.'),
        description: described(
          text,
          'Two to five sentences for the model: what the tool does and when to use it.',
        ),
        owner: described(text, 'The team that is responsible.'),
        tags: described(texts, 'Words to find the tool by.'),
        last_updated: described(text, 'The date of the last change, such as "2025-04-01".'),
      },
    },
    type: {
      enum: toolTypes,
      description:
        'retrieval only reads; action changes something; function runs in the process; human asks a person.',
    },
    interface: {
      type: 'object',
      description: 'The input and the output, as JSON Schema (a subset of draft-07).',
      required: ['input', 'output'],
      properties: { input: topLevel, output: topLevel },
    },
    error_codes: {
      type: 'object',
      description: 'What failures mean, by status or by another code of the service.',
      propertyNames: { minLength: 1 },
      additionalProperties: {
        type: 'object',
        properties: {
          meaning: described(text, 'What happened.'),
          agent_action: described(text, 'What the agent should do.'),
        },
        anyOf: [{ required: ['meaning'] }, { required: ['agent_action'] }],
      },
    },
    transport: transportSchema,
    use_guidance: {
      type: 'object',
      description: 'When models should use the tool.',
      properties: {
        use_when: described(textOrTexts, 'Situations in which to use the tool.'),
        avoid_when: described(textOrTexts, 'Situations in which not to use it.'),
        side_effects: described(textOrTexts, 'What a call changes; "None" where it changes nothing.'),
      },
    },
  },
  anyOf: [{ properties: { type: { const: 'function' } } }, { required: ['transport'] }],
  definitions: { ...interfaceDefinitions, ...credentialDefinitions },
}
