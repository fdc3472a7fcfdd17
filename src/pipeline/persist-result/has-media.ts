import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'

/** Longer base64 does not belong into a log. */
const MAX_LOGGED_CHARS = 4096

/** Whether a result of this size holds bytes that the log should not. */
export function hasMedia(
  { content = [], model_facing_content: forModel = content }: ToolResult,
  size: number,
): boolean {
  return (
    size > MAX_LOGGED_CHARS && (content.some(isHeavy) || (forModel !== content && forModel.some(isHeavy)))
  )
}

export function isHeavy({ data }: ContentBlock): boolean {
  return typeof data === 'string' && data.length > MAX_LOGGED_CHARS
}
