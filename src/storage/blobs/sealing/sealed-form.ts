import { hkdfSync } from 'node:crypto'
import { blobError } from '../blob-error.js'

/** The format of a sealed stream: a header, then frames of AES-256-GCM, each followed by its tag. */
export const FRAME_BYTES = 64 * 1024
export const TAG_BYTES = 16
export const MAGIC = Buffer.from('TCSB\u0001', 'latin1')
export const SALT_BYTES = 32
export const PREFIX_BYTES = 7
export const HEADER_BYTES = MAGIC.length + SALT_BYTES + PREFIX_BYTES

/** Nonces are counted, which is safe for one key and one stream only: each stream has its own key. */
export function deriveStreamKey(key: Uint8Array, header: Buffer): Buffer {
  if (key.length !== 32)
    throw blobError('toolcrib.blob_invalid', `A key to seal with has 32 bytes, not ${key.length}.`)
  const salt = header.subarray(MAGIC.length, MAGIC.length + SALT_BYTES)
  return Buffer.from(hkdfSync('sha256', key, salt, 'toolcrib sealed blob 1', 32))
}

/**
 * The number of the frame, and whether it is the last: a frame that is moved, omitted or truncated does not decrypt.
 */
export function nonceOf(header: Buffer, number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(PREFIX_BYTES + 5)
  header.copy(nonce, 0, HEADER_BYTES - PREFIX_BYTES)
  nonce.writeUInt32BE(number, PREFIX_BYTES)
  nonce[PREFIX_BYTES + 4] = isLast ? 1 : 0
  return nonce
}
