import { createDecipheriv } from 'node:crypto'
import { blobError } from '../blob-error.js'
import { deriveStreamKey, FRAME_BYTES, HEADER_BYTES, MAGIC, nonceOf, TAG_BYTES } from './sealed-form.js'
import { toFrames, type Frame } from './to-frames.js'

/**
 * Decrypts the output of `sealBytes`. Every byte that it returns is authentic; whether the stream is complete is known
 * only at the end, where it fails if something was cut off.
 */
export async function* unsealBytes(
  source: AsyncIterable<Uint8Array>,
  key: Uint8Array,
): AsyncGenerator<Uint8Array> {
  let header: Buffer | undefined
  let streamKey: Buffer | undefined
  let number = 0
  const sizes = { firstBytes: HEADER_BYTES, frameBytes: FRAME_BYTES + TAG_BYTES }
  for await (const frame of toFrames(source, sizes)) {
    if (!header || !streamKey) {
      if (frame.isLast || !frame.bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw cannotOpen()
      header = frame.bytes
      streamKey = deriveStreamKey(key, header)
      continue
    }
    const nonce = nonceOf(header, number++, frame.isLast)
    const bytes = openFrame(frame, { streamKey, nonce, header })
    if (bytes.length > 0) yield bytes
  }
}

function openFrame(
  { bytes }: Frame,
  { streamKey, nonce, header }: { streamKey: Buffer; nonce: Buffer; header: Buffer },
): Buffer {
  const end = bytes.length - TAG_BYTES
  if (end < 0) throw cannotOpen()
  const decipher = createDecipheriv('aes-256-gcm', streamKey, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(header)
  decipher.setAuthTag(bytes.subarray(end))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()])
  } catch (error) {
    throw cannotOpen(error)
  }
}

function cannotOpen(cause?: unknown): Error {
  return blobError(
    'toolcrib.blob_sealed',
    'This sealed blob cannot be opened: it was sealed with another key, or was changed or cut since.',
    cause,
  )
}
