import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'

/** The text of a result for a model, where a format takes text only. */
export function resultText({ model_facing_content: blocks = [] }: ToolResult): string {
  return blocks.map(blockText).join('\n')
}

/** A block that is no text is described; its bytes are omitted. */
export function blockText(block: ContentBlock): string {
  if (typeof block.text === 'string') return block.text
  const { data: _bytes, ...rest } = block
  return JSON.stringify(rest)
}
