import type { ContentBlock, ToolResult } from '../../../contract/objects/tool-result.js'
import { sizeText } from './size-text.js'

/** What the model would get, as text. */
export function contentText({ model_facing_content: content }: ToolResult): string {
  return (content ?? []).map(blockText).join('\n')
}

const TEXTS: ReadonlySet<unknown> = new Set(['text', 'log', 'diff'])

/** Blocks that are no text are named in a line. --json has all of them. */
function blockText(block: ContentBlock): string {
  const { type, text, uri, name, resource } = block as Record<string, unknown>
  if (TEXTS.has(type) && typeof text === 'string') return text
  const media = mediaOf(block)
  if (media) return named(media.kind, media.name, media.type, media.bytes && sizeText(media.bytes), media.uri)
  if (type === 'resource_link') return named('link', name, uri)
  if (type === 'embedded_resource' && typeof resource === 'object' && resource !== null) {
    const { uri: from, text: own, mimeType } = resource as Record<string, unknown>
    return typeof own === 'string' ? own : named('resource', from, mimeType)
  }
  return JSON.stringify(block, withoutBase64)
}

/** An image, audio or another file in a result. */
export interface Media {
  kind: string
  name?: string
  type?: string
  bytes?: number
  /** The origin or location, if its bytes are not here. */
  uri?: string
  /** The ref under which its bytes are stored. */
  ref?: string
}

const MEDIA = new Set(['image', 'audio', 'video', 'file'])

/** The media of a block, whatever the type of the block. */
export function mediaOf(block: ContentBlock): Media | undefined {
  const {
    type,
    data,
    name,
    uri,
    ref,
    resource,
    size_bytes: size,
    media_type: media,
    mimeType,
  } = ownFields(block)
  const kept = textOf((ref as { uri?: unknown } | undefined)?.uri)
  if (type === 'embedded_resource' || type === 'resource') {
    const { uri: from, blob, mimeType: of } = (resource ?? {}) as Record<string, unknown>
    if (typeof blob !== 'string') return undefined
    return known({ kind: 'resource', name: textOf(from), type: textOf(of), bytes: sizeOf(blob), ref: kept })
  }
  const isMedia = typeof type === 'string' && MEDIA.has(type)
  if (typeof data !== 'string' && !(isMedia && (kept ?? textOf(uri)) !== undefined)) return undefined
  return known({
    kind: String(type),
    name: textOf(name),
    type: textOf(media) ?? textOf(mimeType),
    bytes: typeof data === 'string' ? sizeOf(data) : typeof size === 'number' ? size : undefined,
    uri: typeof data === 'string' ? undefined : (textOf(uri) ?? kept),
    ref: kept ?? (typeof uri === 'string' && uri.startsWith('toolcrib://') ? uri : undefined),
  })
}

/** Its bytes, if they are here. */
export function mediaBytes(block: ContentBlock): Buffer | undefined {
  const { data, resource } = ownFields(block)
  const base64 = data ?? (resource as { blob?: unknown } | undefined)?.blob
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined
}

/** A block without a type in the standard is stored as its server sent it. */
function ownFields(block: ContentBlock): Record<string, unknown> {
  const foreign = (block.toolcrib as { mcp?: unknown } | undefined)?.mcp
  return (typeof foreign === 'object' && foreign !== null ? foreign : block) as Record<string, unknown>
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const sizeOf = (base64: string): number => Buffer.byteLength(base64, 'base64')

function known(facts: { [Key in keyof Media]: Media[Key] | undefined }): Media {
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as unknown as Media
}

function named(...facts: readonly unknown[]): string {
  return `[${facts.filter((fact) => typeof fact === 'string').join(', ')}]`
}

const LONG_CHARS = 400

function withoutBase64(_key: string, value: unknown): unknown {
  const isBase64 = typeof value === 'string' && value.length > LONG_CHARS && /^[\w+/=-]+$/.test(value)
  return isBase64 ? named('base64', sizeText(sizeOf(value))) : value
}
