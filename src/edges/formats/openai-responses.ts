import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { isStrict } from '../../catalog/records/is-strict.js'
import type { FoundTool } from '../../crib/discovery/found-tools.js'
import { DISCOVERY_TOOL_ID } from '../../surfaces/discovery-tool.js'
import { objectSchema, toObjectSchema, type ObjectSchema } from './object-schema.js'
import type { ProviderFormat } from './provider-format.js'
import { resultText } from './result-text.js'
import { wireDescription } from '../../surfaces/wire-description.js'

export interface ResponsesFunction {
  type: 'function'
  name: string
  description: string
  parameters: Readonly<Record<string, unknown>>
  strict: boolean
  defer_loading?: true
}

/** A search that the model requests and this side runs. */
export interface ResponsesToolSearch {
  type: 'tool_search'
  execution: 'client'
  description: string
  parameters: ObjectSchema
}

export type ResponsesTool = ResponsesFunction | ResponsesToolSearch

export type ResponsesResult =
  | { type: 'function_call_output'; call_id: string; output: string }
  | {
      type: 'tool_search_output'
      execution: 'client'
      call_id: string
      status: 'completed'
      tools: ResponsesFunction[]
    }

export const openaiResponses: ProviderFormat<ResponsesTool[], ResponsesResult> = {
  defersNatively: true,
  // A listed deferred function costs its name and description in every prompt. With a search on this side it need not
  // be listed: the result of the search has its definition.
  toList: (listed, { isNative }) =>
    listed.flatMap(({ tool, isDeferred }): ResponsesTool[] => {
      if (isNative && tool.toolId === DISCOVERY_TOOL_ID) return [toSearch(tool)]
      // Also made for omitted tools: an unsupported schema fails now, and not when the tool is found.
      const written = toFunction(tool)
      return isNative && isDeferred ? [] : [written]
    }),
  callShape:
    '{ type: "function_call", call_id, name, arguments } or { type: "tool_search_call", execution: "client", call_id, arguments }',
  fromCall({ type, call_id: nativeCallId, name, arguments: input, execution }) {
    if (typeof nativeCallId !== 'string') return undefined
    if (type === 'tool_search_call')
      return execution === 'client' ? { name: DISCOVERY_TOOL_ID, input, nativeCallId } : undefined
    if (type !== 'function_call' || typeof name !== 'string' || typeof input !== 'string') return undefined
    return { name, input, nativeCallId }
  },
  toResult({ result, nativeCallId = '', found = [], isNativeSearch }) {
    if (!isNativeSearch)
      return { type: 'function_call_output', call_id: nativeCallId, output: resultText(result) }
    return {
      type: 'tool_search_output',
      execution: 'client',
      call_id: nativeCallId,
      status: 'completed',
      tools: found.flatMap(toFoundFunction),
    }
  },
}

function toSearch(tool: CatalogTool): ResponsesToolSearch {
  return {
    type: 'tool_search',
    execution: 'client',
    description: tool.draft.description,
    parameters: objectSchema(tool),
  }
}

function toFunction(tool: CatalogTool): ResponsesFunction {
  const { input } = tool.draft
  return {
    type: 'function',
    name: tool.providerName,
    description: wireDescription(tool.draft),
    parameters: objectSchema(tool),
    // The default is true there, and a schema that is not made for it would be refused.
    strict: isStrict(input),
  }
}

function toFoundFunction({ name, description, input_schema, strict }: FoundTool): ResponsesFunction[] {
  const parameters = toObjectSchema(input_schema)
  if (!parameters) return []
  return [
    {
      type: 'function',
      name,
      description,
      parameters,
      strict: isStrict({ strict, modelSchema: input_schema }),
      defer_loading: true,
    },
  ]
}
