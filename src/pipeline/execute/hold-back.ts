import type { OutputText } from '../../results/payload-of.js'
import type { ByteStream } from '../../results/payloads/byte-stream.js'
import type { DrainedStream } from '../../results/payloads/drain-stream.js'

/** More of a stream is not held back for those who may see all of it. */
const MAX_PROTECTED_BYTES = 16 * 1024 * 1024

/** Keeps what goes through a stream, for the actors that may have it as it was. */
export function holdBack(stream: ByteStream): {
  stream: ByteStream
  original(drained: DrainedStream): OutputText | undefined
} {
  let parts: Buffer[] | undefined = []
  let size = 0
  async function* chunks(signal: AbortSignal): AsyncGenerator<Buffer, void, void> {
    for await (const chunk of stream.chunks(signal)) {
      size += chunk.length
      if (size > MAX_PROTECTED_BYTES) parts = undefined
      else parts?.push(Buffer.from(chunk))
      yield chunk
    }
  }
  return {
    stream: { name: stream.name, mediaType: stream.mediaType, chunks },
    original: ({ mediaType, isText }) =>
      parts && { text: '', bytes: Buffer.concat(parts), mediaType, blockType: isText ? 'text' : 'file' },
  }
}
