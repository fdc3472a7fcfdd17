import type { JsonSchema } from '../../../contract/json-schema.js'
import { toolChoices } from '../compile/compile-agent.js'
import { ID_PATTERN } from '../compile/compile-tool.js'
import { described, text } from './field-shapes.js'

/** The front matter of `agents/<agent_id>.agent.md`, as far as it is about tools. */
export const agentFileSchema: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'AML agent file',
  type: 'object',
  required: ['spec_version', 'agent_id'],
  properties: {
    spec_version: { const: '1.2', description: 'The version of AML, in quotes.' },
    agent_id: {
      type: 'string',
      pattern: ID_PATTERN,
      description: 'The id of the agent, and the name of this file.',
    },
    tools: {
      type: 'object',
      description: 'The tools that the agent may use.',
      properties: {
        refs: {
          type: 'array',
          items: {
            type: 'object',
            required: ['ref'],
            properties: {
              ref: described(text, 'The tool_id of a tool of the same folder.'),
              approval_required: { const: true, description: 'A person approves each call.' },
              max_calls_per_run: {
                type: 'integer',
                minimum: 1,
                maximum: Number.MAX_SAFE_INTEGER,
                description: 'How often the tool can be called in one session.',
              },
            },
          },
        },
        tool_choice: {
          enum: toolChoices,
          description: 'Whether the model may, must or must not call tools.',
        },
      },
      anyOf: [
        { properties: { tool_choice: { not: { const: 'required' } } } },
        { properties: { refs: { minItems: 1 } }, required: ['refs'] },
      ],
    },
  },
}
