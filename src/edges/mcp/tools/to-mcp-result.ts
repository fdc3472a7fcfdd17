import type { ContentBlock, ToolResult } from '../../../contract/objects/tool-result.js'
import { isJsonObject, type JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { mcpDefinition, mcpFacts } from '../../../sources/mcp/protocol/native.js'
import { McpError } from '../../../sources/mcp/protocol/mcp-error.js'
import { OWN_META_KEY } from '../../../sources/mcp/protocol/meta-keys.js'
import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import { mayNotFit, promisedData } from './promised-data.js'
import { toMcpBlock } from '../../../sources/mcp/content-blocks.js'

/** What was decided about a call, and whose word it was. */
export interface Decided {
  readonly behavior: string
  readonly source: string
}

/**
 * The result of a call as an MCP client takes it. What an MCP server answered comes out as it went in, beside one key of
 * our own. Throws the McpError that a server answered with.
 */
export function toMcpResult(result: ToolResult, about: About): JsonObject {
  const refused = mcpFacts(result.error?.toolcrib?.['native'])?.['error']
  const error = isJsonObject(refused) ? errorOf(refused) : undefined
  if (error) throw error
  const native = mcpFacts(result.toolcrib?.['native'])
  return native ? fromServer(result, native, about) : ownResult(result, about)
}

/** What is known of a call beside its result. */
export interface About {
  readonly tool: CatalogTool | undefined
  readonly decision?: Decided | undefined
  /** Whether the client was told that it may get results of the tool without their data. */
  readonly isWithheld: boolean
}

/** As the server sent it. Nothing where it is none of the protocol: a client could not read it. */
function errorOf({ code, message, data }: JsonObject): McpError | undefined {
  if (!Number.isInteger(code) || typeof message !== 'string') return undefined
  return new McpError(code as number, message, data)
}

function fromServer(result: ToolResult, native: JsonObject, about: About): JsonObject {
  const { _meta: meta, more } = native
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
  { tool, decision, isWithheld, meta }: About & { meta: JsonObject | undefined },
): JsonObject {
  if (!result.is_error && tool) keepPromise(answer, result, { tool, isWithheld })
  answer['_meta'] = { ...meta, [OWN_META_KEY]: ownFacts(result, decision) }
  return answer
}

/** Clients throw a success away whose tool promised data and that has none, or other data. */
function keepPromise(
  answer: JsonObject,
  result: ToolResult,
  { tool: { draft }, isWithheld }: { tool: CatalogTool; isWithheld: boolean },
): void {
  const native = mcpDefinition(draft)
  const schema = native ? native['outputSchema'] : draft.output.schema
  if (!isJsonObject(schema) || (!native && schema['type'] !== 'object')) return
  if (isWithheld || mayNotFit(schema, draft.output))
    answer['structuredContent'] = promisedData(result, answer['structuredContent'])
}

function ownFacts(result: ToolResult, decision: Decided | undefined): JsonObject {
  const facts: JsonObject = { invocationId: result.invocation_id, status: result.status }
  if (decision) facts['decision'] = decision
  const { persisted_payload_ref: kept, redaction_state: redacted, error } = result
  if (kept?.uri !== undefined) facts['persisted'] = [kept.uri]
  if (redacted !== undefined && redacted !== 'none') facts['redacted'] = redacted
  const { hidden_characters: hidden, links_left_out: links } = mcpFacts(result.toolcrib?.['native']) ?? {}
  if (hidden !== undefined) facts['hiddenCharacters'] = hidden
  if (links !== undefined) facts['linksLeftOut'] = links
  if (error) facts['error'] = error.error_code ?? error.error_class
  return facts
}
