import type { ContentBlock } from '../contract/objects/tool-result.js'

/** Bytes as a block of the class that their media type belongs to. */
export function mediaBlock(bytes: Uint8Array, mediaType: string, name?: string): ContentBlock {
  return {
    type: classOf(mediaType),
    data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    media_type: mediaType,
    size_bytes: bytes.byteLength,
    ...(name !== undefined && { name }),
  }
}

function classOf(mediaType: string): ContentBlock['type'] {
  const [kind] = mediaType.split('/')
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file'
}
