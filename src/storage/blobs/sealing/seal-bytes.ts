import { createCipheriv, randomBytes } from 'node:crypto'
import {
  deriveStreamKey,
  FRAME_BYTES,
  MAGIC,
  nonceOf,
  PREFIX_BYTES,
  SALT_BYTES,
  TAG_BYTES,
} from './sealed-form.js'
import { toFrames } from './to-frames.js'

/** Encrypts a stream of any length, a frame at a time. The key has 32 bytes and may seal any number of streams. */
export async function* sealBytes(
  source: AsyncIterable<Uint8Array>,
  key: Uint8Array,
): AsyncGenerator<Uint8Array> {
  const header = Buffer.concat([MAGIC, randomBytes(SALT_BYTES + PREFIX_BYTES)])
  const streamKey = deriveStreamKey(key, header)
  yield header
  let number = 0
  for await (const { bytes, isLast } of toFrames(source, {
    firstBytes: FRAME_BYTES,
    frameBytes: FRAME_BYTES,
  })) {
    const nonce = nonceOf(header, number++, isLast)
    const cipher = createCipheriv('aes-256-gcm', streamKey, nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(header)
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}
