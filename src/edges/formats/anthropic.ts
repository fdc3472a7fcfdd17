import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import { objectSchema, type ObjectSchema } from './object-schema.js'
import type { ProviderFormat } from './provider-format.js'
import { blockText } from './result-text.js'
import { wireDescription } from '../../surfaces/wire-description.js'

export interface AnthropicTool {
  name: string
  description: string
  input_schema: ObjectSchema
  strict?: boolean
  defer_loading?: true
}

export type AnthropicBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: ImageType; data: string } }
  | { type: 'tool_reference'; tool_name: string }

export interface AnthropicResult {
  type: 'tool_result'
  tool_use_id: string
  content: AnthropicBlock[]
  is_error?: true
}

const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
type ImageType = (typeof imageTypes)[number]

export const anthropic: ProviderFormat<AnthropicTool[], AnthropicResult> = {
  defersNatively: true,
  toList: (listed, { isNative }) =>
    listed.map(({ tool, isDeferred }) => ({
      name: tool.providerName,
      description: wireDescription(tool.draft),
      input_schema: objectSchema(tool),
      // Only a few tools of a list may be strict: their authors choose which.
      ...(tool.draft.input.strict !== undefined && { strict: tool.draft.input.strict }),
      ...(isNative && isDeferred && { defer_loading: true as const }),
    })),
  callShape: '{ type: "tool_use", id, name, input }',
  fromCall({ type, id, name, input }) {
    if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string') return undefined
    return { name, input, nativeCallId: id }
  },
  toResult: ({ result, nativeCallId, found }) => ({
    type: 'tool_result',
    tool_use_id: nativeCallId ?? '',
    // The provider inserts the schemas, so that no text is needed. If nothing was found, a text gives the next step.
    content:
      found && found.length > 0
        ? found.map(({ name }) => ({ type: 'tool_reference', tool_name: name }))
        : blocksOf(result),
    ...(result.is_error && { is_error: true }),
  }),
}

function blocksOf({ model_facing_content: blocks = [] }: ToolResult): AnthropicBlock[] {
  return blocks.map(toBlock)
}

function toBlock(block: ContentBlock): AnthropicBlock {
  const { type, data, media_type } = block
  if (type === 'image' && data !== undefined && isImageType(media_type))
    return { type: 'image', source: { type: 'base64', media_type, data } }
  return { type: 'text', text: blockText(block) }
}

function isImageType(mediaType: string | undefined): mediaType is ImageType {
  return (imageTypes as readonly unknown[]).includes(mediaType)
}
