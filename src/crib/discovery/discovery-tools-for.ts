import type { ToolDraft } from '../../catalog/tool-draft.js'
import { defineTool } from '../../sources/functions/define-tool.js'
import { toolFailure } from '../../pipeline/failures/describe-failure.js'
import type { DeferralRequest } from '../../surfaces/deferral-request.js'
import { searchTool } from './search-tool.js'

/** The tools that find and call deferred tools in this way. */
export function discoveryToolsFor({ way }: DeferralRequest): readonly ToolDraft[] {
  return way === 'pair' ? [searchTool, callTool] : [searchTool]
}

const NOT_ITSELF =
  'tool.call cannot call itself: give the name of the tool that you want, as tool.search told it.'

/**
 * Calls a tool that an agent found, if its list of tools never changes. Before any decision or record, a call of it
 * becomes the call of the tool that it names (see unwrap-call.ts): only a call that names no other tool runs here.
 */
const callTool = defineTool({
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
      // Models omit `arguments` for a tool without parameters; the schema of the called tool validates them.
      required: ['name'],
      additionalProperties: false,
    },
  },
  // This tool does not know which arguments the called tool declares sensitive.
  sensitiveFields: ['arguments'],
  alwaysLoad: true,
  // A function: the static facts of this tool say nothing about the called one, so it is offered wherever that may be.
  isReadOnly: () => false,
  refs: 'keep',
  validate: () => NOT_ITSELF,
  execute() {
    throw toolFailure('execution_failed', NOT_ITSELF)
  },
})
