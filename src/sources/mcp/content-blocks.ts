import type { ContentBlock } from '../../catalog/tool-output.js'
import { isObject } from '../../platform/json/is-object.js'
import type { JsonObject } from './protocol/json-rpc.js'

/** Reserved names: a server's member of such a name could not be distinguished from what Toolcrib adds to a block. */
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
/** Stored bytes have an address; an image block itself has none. */
const OWN_OF_MEDIA = new Set([...OWN_NAMES, 'uri'])
/** Members whose type the standard defines. */
const TEXT_MEMBERS = ['text', 'data', 'uri', 'name', 'title', 'description', 'mimeType']
const OBJECT_MEMBERS = ['annotations', 'resource']

/** Converts a server's block to the record format. Nothing is lost: `toMcpBlock` restores it. */
export function fromMcpBlock(block: unknown): ContentBlock {
  if (!isObject(block) || !isPlain(block)) return wrap(block)
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
      // A media type beside the resource would be restored under the wrong name.
      return isObject(block['resource']) && !('mimeType' in block)
        ? rename(block, 'embedded_resource', {})
        : wrap(block)
    default:
      return wrap(block)
  }
}

/** Converts a block of a record for an MCP client. Types that the protocol does not have become a link or a text. */
export function toMcpBlock(block: ContentBlock): JsonObject {
  const { toolcrib } = block
  if (isObject(toolcrib) && 'mcp' in toolcrib) return toolcrib['mcp'] as JsonObject
  switch (block.type) {
    case 'text':
    case 'log':
    case 'diff':
      if (isBareText(block)) return { type: 'text', text: block.text }
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
/** Only links have a size in the protocol: elsewhere a member of that name is the server's own. */
const FROM_MEDIA: Readonly<Record<string, string>> = { mimeType: 'media_type' }
const TO_MCP: Readonly<Record<string, string>> = { media_type: 'mimeType', size_bytes: 'size' }
const OWN_AFTER_LINK = new Set(OWN_NAMES.filter((name) => !(name in TO_MCP)))

/** Most texts have no other members. */
function isBareText(block: ContentBlock): block is ContentBlock & { text: string } {
  return block.type === 'text' && typeof block.text === 'string' && Object.keys(block).length === 2
}

/** Whether every member can keep its name in a record. */
function isPlain(block: JsonObject): boolean {
  for (const name of Object.keys(block)) if (OWN_OF_ALL.has(name)) return false
  for (const name of TEXT_MEMBERS)
    if (block[name] !== undefined && typeof block[name] !== 'string') return false
  for (const name of OBJECT_MEMBERS) if (block[name] !== undefined && !isObject(block[name])) return false
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

/** Clients support videos and files only as resources with embedded bytes. */
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
