import { toolFailure } from '../../pipeline/failures/describe-failure.js'
import { defineTool } from '../../sources/functions/define-tool.js'

const NOT_ITSELF =
  'tool.call cannot call itself: give the name of the tool that you want, as tool.search told it.'

/**
 * By which an agent calls what it found where its list of tools never changes. A call of it becomes the call of the tool
 * that it names before anything is judged or recorded (see unwrap-call.ts): only what names no other tool comes here.
 */
export const callTool = defineTool({
  namespace: 'tool',
  name: 'call',
  title: 'Call a tool',
  description: 'Call a tool that tool.search found, with arguments as its schema says.',
  kind: 'function',
  input: {
    jsonSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1 },
        arguments: { type: 'object' },
      },
      // Models leave them out for a tool that takes none; what the tool needs, its own schema says.
      required: ['name'],
      additionalProperties: false,
    },
  },
  // Which of them another tool calls sensitive is not known here.
  sensitiveFields: ['arguments'],
  alwaysLoad: true,
  // As a function: it says nothing of the tool that is called, and is offered wherever that may be.
  isReadOnly: () => false,
  refs: 'keep',
  validate: () => NOT_ITSELF,
  execute() {
    throw toolFailure('execution_failed', NOT_ITSELF)
  },
})
