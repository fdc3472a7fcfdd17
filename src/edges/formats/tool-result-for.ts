import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { FoundTool } from '../../crib/discovery/found-tools.js'
import { DISCOVERY_TOOL_ID } from '../../surfaces/discovery-tool.js'
import { providerName } from '../../catalog/provider-name.js'
import { readCall } from './from-tool-call.js'
import { formatOf, type ToolFormat, type ToolResultOf } from './formats.js'

/** The call that is answered, if it should not be taken from the result. */
export interface AnsweredBy {
  /** The provider's call: the answer has its id and its name. */
  call?: unknown
  nativeCallId?: string
  /** The name in the call. */
  toolName?: string
}

/** The answer to a tool call in the format of a provider. */
export function toolResultFor<Format extends ToolFormat>(
  format: Format,
  result: ToolResult,
  { call, nativeCallId, toolName }: AnsweredBy = {},
): ToolResultOf<Format> {
  const adapter = formatOf('toolResultFor', format)
  if (typeof result !== 'object' || result === null || typeof result.result_id !== 'string')
    throw new TypeError('toolResultFor takes the format and then a result: await crib.call(…) gives one.')
  const read = call === undefined ? undefined : readCall('toolResultFor', format, call)
  const own = ownFieldsOf(result)
  const id = nativeCallId ?? read?.nativeCallId ?? own.nativeCallId
  if (id === undefined && format !== 'gemini' && format !== 'mcp') {
    throw new TypeError(
      `toolResultFor: the format "${format}" names the call that is answered; give it as { nativeCallId }.`,
    )
  }
  const found = own.toolId === DISCOVERY_TOOL_ID ? foundIn(result) : undefined
  return adapter.toResult({
    result,
    nativeCallId: id,
    toolName: toolName ?? read?.name ?? answeredName(own),
    found,
    isNativeSearch: found !== undefined || isFailedSearch(result, read?.name ?? own.requestedName),
  }) as ToolResultOf<Format>
}

interface OwnFields {
  toolId: string | undefined
  nativeCallId: string | undefined
  requestedName: string | undefined
  requestedVia: string | undefined
}

function ownFieldsOf({ toolcrib }: ToolResult): OwnFields {
  const textOf = (key: string): string | undefined => {
    const value = toolcrib?.[key]
    return typeof value === 'string' ? value : undefined
  }
  return {
    toolId: textOf('tool_id'),
    nativeCallId: textOf('native_call_id'),
    requestedName: textOf('requested_name'),
    requestedVia: textOf('requested_via'),
  }
}

/** The name that the model wrote, and not the name of the tool: a provider compares the two. */
function answeredName({ toolId, requestedName, requestedVia }: OwnFields): string {
  if (requestedVia !== undefined) return providerName(requestedVia)
  if (requestedName !== undefined && requestedName !== toolId) return requestedName
  return toolId === undefined ? 'unknown' : providerName(toolId)
}

/** A denied or failed search does not record its type of call. The id is no function name: providers allow no dots. */
function isFailedSearch({ is_error }: ToolResult, name: string | undefined): boolean {
  return is_error === true && name === DISCOVERY_TOOL_ID
}

/** Only the output of Toolcrib's own search: another tool could write the same to get tools loaded. */
function foundIn({ structured_content: said }: ToolResult): readonly FoundTool[] | undefined {
  const own = (said as { toolcrib?: { way?: unknown; tools?: unknown } } | undefined)?.toolcrib
  if (own?.way !== 'native') return undefined
  return Array.isArray(own.tools) ? (own.tools as FoundTool[]) : []
}
