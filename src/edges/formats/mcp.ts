import type { ContentBlock } from '../../contract/objects/tool-result.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { isObject } from '../../platform/json/is-object.js'
import { objectSchema, type ObjectSchema } from './object-schema.js'
import type { ProviderFormat } from './provider-format.js'
import { blockText } from './result-text.js'
import { wireDescription } from '../../surfaces/wire-description.js'

export interface McpTool {
  name: string
  title?: string
  description: string
  inputSchema: ObjectSchema
  outputSchema?: ObjectSchema
  annotations?: {
    readOnlyHint?: boolean
    destructiveHint?: boolean
    idempotentHint?: boolean
    openWorldHint?: boolean
  }
}

export type McpBlock =
  { type: 'text'; text: string } | { type: 'image' | 'audio'; data: string; mimeType: string }

/** A type, not an interface: only a type is assignable where more fields are allowed. */
export type McpResult = {
  content: McpBlock[]
  structuredContent?: Record<string, unknown>
  isError: boolean
}

export const mcp: ProviderFormat<McpTool[], McpResult> = {
  defersNatively: false,
  toList: (listed) => listed.map(({ tool }) => toTool(tool)),
  callShape: '{ id, method: "tools/call", params: { name, arguments } }',
  fromCall({ id, params }) {
    if (typeof params !== 'object' || params === null) return undefined
    const { name, arguments: input } = params as Record<string, unknown>
    if (typeof name !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return undefined
    return { name, input: input ?? {}, nativeCallId: String(id) }
  },
  toResult: ({ result }) => ({
    content: (result.model_facing_content ?? []).map(toBlock),
    ...(isObject(result.structured_content) && { structuredContent: result.structured_content }),
    isError: result.is_error ?? false,
  }),
}

function toTool(tool: CatalogTool): McpTool {
  const { title, output, facts, execution } = tool.draft
  const hints = {
    readOnlyHint: facts.is_read_only,
    destructiveHint: facts.is_destructive,
    idempotentHint: execution.isIdempotent,
    openWorldHint: facts.is_open_world,
  }
  // A fact that depends on the input is no fact of the tool.
  const known = Object.entries(hints).filter(([, hint]) => typeof hint === 'boolean')
  return {
    name: tool.providerName,
    ...(title !== undefined && { title }),
    description: wireDescription(tool.draft),
    inputSchema: objectSchema(tool),
    ...(output.schema?.['type'] === 'object' && { outputSchema: output.schema as ObjectSchema }),
    ...(known.length > 0 && { annotations: Object.fromEntries(known) }),
  }
}

function toBlock(block: ContentBlock): McpBlock {
  const { type, data, media_type } = block
  if ((type === 'image' || type === 'audio') && data !== undefined && media_type !== undefined)
    return { type, data, mimeType: media_type }
  return { type: 'text', text: blockText(block) }
}
