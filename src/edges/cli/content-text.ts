import type { ContentBlock, ToolResult } from '../../foundation/contract/objects/tool-result.js'

/** What the model would get, as text. */
export function contentText({ model_facing_content: content }: ToolResult): string {
  return (content ?? []).map(blockText).join('\n')
}

function blockText(block: ContentBlock): string {
  if (block.type === 'text' && typeof block['text'] === 'string') return block['text']
  const { data, ...rest } = block as Record<string, unknown>
  return typeof data === 'string'
    ? `[${String(block.type)}, ${data.length} characters] ${JSON.stringify(rest)}`
    : JSON.stringify(block)
}
