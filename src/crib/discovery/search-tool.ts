import type { LiveContext } from '../../pipeline/execute/create-execute-context.js'
import { defineTool } from '../../sources/functions/define-tool.js'
import { describeSearch } from './describe-search.js'
import type { FoundTools } from './found-tools.js'

/** Short, because it costs tokens in every prompt of a surface with deferred tools. */
const DESCRIPTION =
  'Find and load tools that are not in your list. query: words for what you need (+word must occur), or select:name,name.'

const search = defineTool({
  namespace: 'tool',
  name: 'search',
  title: 'Find tools',
  description: DESCRIPTION,
  kind: 'function',
  input: {
    jsonSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1 },
        limit: { type: 'integer', minimum: 1, maximum: 20 },
      },
      required: ['query'],
      additionalProperties: false,
    },
  },
  alwaysLoad: true,
  isReadOnly: true,
  isDestructive: false,
  isConcurrencySafe: true,
  isOpenWorld: false,
  isIdempotent: true,
  refs: 'keep',
  validate: ({ query }: { query: string }) =>
    query.trim() === '' ? 'Say in "query" what the tool should do, or "select:" and its name.' : undefined,
  execute: ({ query, limit }: { query: string; limit?: number }, context) =>
    (context as LiveContext).findTools(query, { limit }),
  toModel: (found) => describeSearch(found as FoundTools),
})

/** Finds the tools that are not in an agent's prompt. */
export const searchTool: typeof search = {
  ...search,
  // A name in a query, such as files.read, is no path.
  reach: { runs: 'in_process', declaresPaths: true },
}
