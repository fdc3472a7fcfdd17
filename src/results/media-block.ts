import { mediaClass } from '../catalog/tool-output.js'
import type { ContentBlock } from '../contract/objects/tool-result.js'

/** Bytes as a block of the type that matches their media type. */
export function mediaBlock(bytes: Uint8Array, mediaType: string, name?: string): ContentBlock {
  return {
    type: mediaClass(mediaType),
    data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    media_type: mediaType,
    size_bytes: bytes.byteLength,
    ...(name !== undefined && { name }),
  }
}
