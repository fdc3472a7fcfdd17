import type { ContentBlock } from '../../catalog/tool-output.js'
import { isJsonObject, type JsonObject } from './protocol/json-rpc.js'

/** Ours alone: a server's member of such a name could not be told from what Toolcrib adds to a block. */
const OWN_NAMES = [
  'media_type',
  'size_bytes',
  'digest',
  'ref',
  'redaction_state',
  'toolcrib',
  'structured_content',
]
const OWN_OF_ALL = new Set(OWN_NAMES)
/** Kept bytes have an address, which a picture itself has not. */
const OWN_OF_MEDIA = new Set([...OWN_NAMES, 'uri'])
/** Members to which the standard gives a type of its own. */
const TEXT_MEMBERS = ['text', 'data', 'uri', 'name', 'title', 'description', 'mimeType']
const OBJECT_MEMBERS = ['annotations', 'resource']

/** A block as a server sent it, in our words. Nothing is lost: `toMcpBlock` gives it back as it was. */
export function fromMcpBlock(block: unknown): ContentBlock {
  if (!isJsonObject(block) || !isPlain(block)) return wrap(block)
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string' ? (block as ContentBlock) : wrap(block)
    case 'image':
    case 'audio':
      return typeof block['data'] === 'string' && !hasAny(block, OWN_OF_MEDIA)
        ? rename(block, block['type'], FROM_MEDIA)
        : wrap(block)
    case 'resource_link':
      return typeof block['uri'] === 'string' ? rename(block, 'resource_link', FROM_MCP) : wrap(block)
    case 'resource':
      // A type of media beside the resource would come back under the wrong name.
      return isJsonObject(block['resource']) && !('mimeType' in block)
        ? rename(block, 'embedded_resource', {})
        : wrap(block)
    default:
      return wrap(block)
  }
}

/** A block of ours as an MCP client takes it. What the protocol has no word for becomes a link or a text. */
export function toMcpBlock(block: ContentBlock): JsonObject {
  const { toolcrib } = block
  if (isJsonObject(toolcrib) && 'mcp' in toolcrib) return toolcrib['mcp'] as JsonObject
  switch (block.type) {
    case 'text':
    case 'log':
    case 'diff':
      return { ...without(block, OWN_OF_ALL), type: 'text', text: block.text ?? '' }
    case 'image':
    case 'audio':
      return block.data === undefined ? toLink(block) : toMedia(block)
    case 'resource_link':
      return rename(without(block, OWN_AFTER_LINK), 'resource_link', TO_MCP)
    case 'embedded_resource':
      return { ...without(block, OWN_OF_ALL), type: 'resource' }
    case 'video':
    case 'file':
      return block.data === undefined ? toLink(block) : toEmbedded(block)
    case 'structured_content':
    case 'artifact_ref':
    case 'persisted_output_ref':
    case 'handoff_ref':
      return toLink(block)
  }
}

const FROM_MCP: Readonly<Record<string, string>> = { mimeType: 'media_type', size: 'size_bytes' }
/** Only links have a size in the protocol: elsewhere a member of that name is somebody's own. */
const FROM_MEDIA: Readonly<Record<string, string>> = { mimeType: 'media_type' }
const TO_MCP: Readonly<Record<string, string>> = { media_type: 'mimeType', size_bytes: 'size' }
const OWN_AFTER_LINK = new Set(OWN_NAMES.filter((name) => !(name in TO_MCP)))

/** Whether every member may stand in a record under its own name. */
function isPlain(block: JsonObject): boolean {
  for (const name of Object.keys(block)) if (OWN_OF_ALL.has(name)) return false
  for (const name of TEXT_MEMBERS)
    if (block[name] !== undefined && typeof block[name] !== 'string') return false
  for (const name of OBJECT_MEMBERS) if (block[name] !== undefined && !isJsonObject(block[name])) return false
  const { size } = block
  return size === undefined || block['type'] !== 'resource_link' || Number.isSafeInteger(size)
}

function wrap(block: unknown): ContentBlock {
  return { type: 'structured_content', toolcrib: { mcp: block } }
}

function rename<Type extends string>(
  block: object,
  type: Type,
  names: Readonly<Record<string, string>>,
): JsonObject & { type: Type } {
  const entries = Object.entries(block).map(([name, value]) => [names[name] ?? name, value] as const)
  return { ...Object.fromEntries(entries), type }
}

function toMedia({ media_type: mimeType, ...block }: ContentBlock): JsonObject {
  return { ...without(block, OWN_OF_MEDIA), ...(mimeType !== undefined && { mimeType }) }
}

/** Clients know films and files only as resources that hold their bytes. */
function toEmbedded({ uri, ref, name, data, media_type: mimeType }: ContentBlock): JsonObject {
  const address = uri ?? ref?.uri ?? `toolcrib:block/${encodeURIComponent(name ?? 'file')}`
  return {
    type: 'resource',
    resource: { uri: address, ...(mimeType !== undefined && { mimeType }), blob: data },
  }
}

function toLink(block: ContentBlock): JsonObject {
  const uri = block.uri ?? block.ref?.uri
  if (uri === undefined) return { type: 'text', text: block.text ?? textOf(block) }
  const { name, title, description, annotations, media_type: mimeType, size_bytes: size } = block
  const said = { title, description, annotations, mimeType, size }
  const known = Object.entries(said).filter(([, value]) => value !== undefined)
  return { type: 'resource_link', uri, name: name ?? uri, ...Object.fromEntries(known) }
}

function textOf(block: ContentBlock): string {
  const value = block.structured_content
  return JSON.stringify(value === undefined ? without(block, new Set(['toolcrib'])) : value)
}

function without(block: object, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(block).filter(([name]) => !names.has(name)))
}

function hasAny(block: object, names: ReadonlySet<string>): boolean {
  return Object.keys(block).some((name) => names.has(name))
}
