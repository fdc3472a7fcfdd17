import type { ContentBlock, ToolResult } from '../../foundation/contract/objects/tool-result.js'
import { isJsonObject, type JsonObject } from '../../foundation/mcp/json-rpc.js'
import { McpError } from '../../foundation/mcp/mcp-error.js'
import { OWN_META_KEY } from '../../foundation/mcp/meta-keys.js'
import type { CatalogTool } from '../../supply/catalog/catalog-tool.js'
import { toMcpBlock } from '../../supply/sources/mcp/content-blocks.js'

/** What was decided about a call, and whose word it was. */
export interface Decided {
  readonly behavior: string
  readonly source: string
}

/**
 * The result of a call as an MCP client takes it. What a server answered comes out as it went in, beside one key of our
 * own. Throws the McpError that a server answered with.
 */
export function toMcpResult(
  result: ToolResult,
  tool: CatalogTool | undefined,
  decision?: Decided,
): JsonObject {
  const refused = result.error?.toolcrib?.['native']
  if (isJsonObject(refused) && isJsonObject(refused['error'])) throw errorOf(refused['error'])
  const native = result.toolcrib?.['native']
  return isJsonObject(native) && native['protocol'] === 'mcp'
    ? fromServer(result, native, { tool, decision })
    : ownResult(result, { tool, decision })
}

interface About {
  readonly tool: CatalogTool | undefined
  readonly decision: Decided | undefined
}

/** As the server sent it. */
function errorOf({ code, message, data }: JsonObject): McpError {
  return new McpError(Number(code), String(message), data)
}

function fromServer(result: ToolResult, native: JsonObject, about: About): JsonObject {
  const { meta, more } = native
  const answer: JsonObject = { ...(more as JsonObject | undefined) }
  answer['content'] = (result.content ?? []).map(toMcpBlock)
  if (result.structured_content !== undefined) answer['structuredContent'] = result.structured_content
  if (result.is_error) answer['isError'] = true
  return finish(answer, result, { ...about, meta: meta as JsonObject | undefined })
}

function ownResult(result: ToolResult, about: About): JsonObject {
  const content = (result.model_facing_content ?? []).map(toMcpBlock)
  const { persisted_payload_ref: kept } = result
  if (kept?.uri !== undefined) {
    const { uri, name, media_type, size_bytes } = kept
    content.push(
      toMcpBlock({ type: 'persisted_output_ref', uri, name, media_type, size_bytes } as ContentBlock),
    )
  }
  const answer: JsonObject = { content }
  if (isJsonObject(result.structured_content)) answer['structuredContent'] = result.structured_content
  if (result.is_error) answer['isError'] = true
  return finish(answer, result, { ...about, meta: undefined })
}

function finish(
  answer: JsonObject,
  result: ToolResult,
  { tool, decision, meta }: About & { meta: JsonObject | undefined },
): JsonObject {
  // Clients throw away the whole answer of a tool that promised data and gives none, unless it says that it failed.
  if (answer['structuredContent'] === undefined && result.persisted_payload_ref && tool && promisesData(tool))
    answer['isError'] = true
  answer['_meta'] = { ...meta, [OWN_META_KEY]: ownFacts(result, decision) }
  return answer
}

function promisesData({ draft }: CatalogTool): boolean {
  return draft.native
    ? draft.native['outputSchema'] !== undefined
    : draft.output.schema?.['type'] === 'object'
}

function ownFacts(result: ToolResult, decision: Decided | undefined): JsonObject {
  const facts: JsonObject = { invocationId: result.invocation_id, status: result.status }
  if (decision) facts['decision'] = decision
  const { persisted_payload_ref: kept, redaction_state: redacted, error } = result
  if (kept?.uri !== undefined) facts['persisted'] = [kept.uri]
  if (redacted !== undefined && redacted !== 'none') facts['redacted'] = redacted
  const { hidden_characters: hidden, links_left_out: links } = nativeOf(result)
  if (hidden !== undefined) facts['hiddenCharacters'] = hidden
  if (links !== undefined) facts['linksLeftOut'] = links
  if (error) facts['error'] = error.error_code ?? error.error_class
  return facts
}

function nativeOf({ toolcrib }: ToolResult): JsonObject {
  const native = toolcrib?.['native']
  return isJsonObject(native) ? native : {}
}
