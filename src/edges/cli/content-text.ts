import type { ContentBlock, ToolResult } from '../../foundation/contract/objects/tool-result.js'
import { sizeText } from './size-text.js'

/** What the model would get, as text. */
export function contentText({ model_facing_content: content }: ToolResult): string {
  return (content ?? []).map(blockText).join('\n')
}

/** What is no text is named in a line: nobody reads pictures as letters. --json has all of it. */
function blockText(block: ContentBlock): string {
  const { type, text, data, uri, name, media_type: media, resource } = block as Record<string, unknown>
  if (type === 'text' && typeof text === 'string') return text
  if (typeof data === 'string') return named(String(type), media, bytesOf(data))
  if (type === 'resource_link') return named('link', name, uri)
  if (type !== 'embedded_resource' || typeof resource !== 'object' || resource === null)
    return JSON.stringify(block)
  const { uri: from, text: own, blob, mimeType } = resource as Record<string, unknown>
  if (typeof own === 'string') return own
  return named('resource', from, mimeType, typeof blob === 'string' ? bytesOf(blob) : undefined)
}

function named(...facts: readonly unknown[]): string {
  return `[${facts.filter((fact) => typeof fact === 'string').join(', ')}]`
}

function bytesOf(base64: string): string {
  return sizeText(Buffer.byteLength(base64, 'base64'))
}
