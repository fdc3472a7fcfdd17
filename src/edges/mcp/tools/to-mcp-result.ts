import type { JsonSchema } from '../../../contract/json-schema.js'
import type { ToolError } from '../../../contract/objects/tool-error.js'
import type { ContentBlock, ToolResult } from '../../../contract/objects/tool-result.js'
import { isObject } from '../../../platform/json/is-object.js'
import { withMembers } from '../../../platform/json/with-members.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { mcpDefinition, mcpFacts } from '../../../sources/mcp/protocol/native.js'
import { McpError } from '../../../sources/mcp/protocol/mcp-error.js'
import { OWN_META_KEY } from '../../../sources/mcp/protocol/meta-keys.js'
import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import type { ToolDraft } from '../../../catalog/tool-draft.js'
import { mayNotFit, promisedData } from './promised-data.js'
import { toMcpBlock } from '../../../sources/mcp/content-blocks.js'

/** The decision on a call, and its source. */
export interface Decided {
  readonly behavior: string
  readonly source: string
}

/**
 * The result of a call in MCP's format. An MCP server's answer is unchanged except for one key of our own in `_meta`.
 * Throws the McpError that a server answered with.
 */
export function toMcpResult(result: ToolResult, about: About): JsonObject {
  if (result.error) throwServerError(result.error)
  const native = result.toolcrib && mcpFacts(result.toolcrib['native'])
  return native ? fromServer(result, native, about) : ownResult(result, about)
}

/** Facts of a call beside its result. */
export interface About {
  readonly tool: CatalogTool | undefined
  readonly decision?: Decided | undefined
  /** Whether the schema that the client has allows results of the tool without their data. */
  readonly isWithheld: boolean
}

/** Does nothing where the server's error is not valid in the protocol: a client could not read it. */
function throwServerError({ toolcrib }: ToolError): void {
  const refused = mcpFacts(toolcrib?.['native'])?.['error']
  if (!isObject(refused)) return
  const { code, message, data } = refused
  if (Number.isInteger(code) && typeof message === 'string') throw new McpError(code as number, message, data)
}

function fromServer(result: ToolResult, native: JsonObject, about: About): JsonObject {
  const { _meta: meta, more } = native
  const answer: JsonObject = withMembers({}, (more ?? {}) as JsonObject)
  answer['content'] = (result.content ?? []).map(toMcpBlock)
  if (result.structured_content !== undefined) answer['structuredContent'] = result.structured_content
  if (result.is_error) answer['isError'] = true
  return finish(answer, result, { about, native, meta: meta as JsonObject | undefined })
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
  if (isObject(result.structured_content)) answer['structuredContent'] = result.structured_content
  if (result.is_error) answer['isError'] = true
  return finish(answer, result, { about, native: undefined, meta: undefined })
}

interface Finishing {
  readonly about: About
  readonly native: JsonObject | undefined
  /** The `_meta` of a server's answer. */
  readonly meta: JsonObject | undefined
}

function finish(answer: JsonObject, result: ToolResult, { about, native, meta }: Finishing): JsonObject {
  const { tool, decision, isWithheld } = about
  if (!result.is_error && tool) keepPromise(answer, result, { tool, isWithheld })
  answer['_meta'] = withMembers(meta, { [OWN_META_KEY]: ownFacts(result, decision, native) })
  return answer
}

/** Whether clients expect data that matches a schema from a tool. */
export function promisesData({ draft }: CatalogTool): boolean {
  return promiseOf(draft) !== undefined
}

function promiseOf(draft: ToolDraft): JsonSchema | undefined {
  const native = mcpDefinition(draft)
  const schema = native ? native['outputSchema'] : draft.output.schema
  if (!isObject(schema) || (!native && schema['type'] !== 'object')) return undefined
  return schema
}

/** Clients discard a success whose data is missing or does not match the tool's output schema. */
function keepPromise(
  answer: JsonObject,
  result: ToolResult,
  { tool: { draft }, isWithheld }: { tool: CatalogTool; isWithheld: boolean },
): void {
  const schema = promiseOf(draft)
  if (schema && (isWithheld || mayNotFit(schema, draft.output)))
    answer['structuredContent'] = promisedData(result, answer['structuredContent'], draft.output)
}

function ownFacts(
  result: ToolResult,
  decision: Decided | undefined,
  native: JsonObject | undefined,
): JsonObject {
  const facts: JsonObject = { invocationId: result.invocation_id, status: result.status }
  if (decision) facts['decision'] = decision
  const { persisted_payload_ref: kept, redaction_state: redacted, error } = result
  if (kept?.uri !== undefined) facts['persisted'] = [kept.uri]
  if (redacted !== undefined && redacted !== 'none') facts['redacted'] = redacted
  const { hidden_characters: hidden, links_left_out: links } = native ?? {}
  if (hidden !== undefined) facts['hiddenCharacters'] = hidden
  if (links !== undefined) facts['linksLeftOut'] = links
  if (error) facts['error'] = error.error_code ?? error.error_class
  return facts
}
