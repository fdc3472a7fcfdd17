import { isUint8Array } from 'node:util/types'
import { blobError } from './blob-error.js'

export function checkChunk(chunk: unknown): void {
  if (isUint8Array(chunk)) return
  throw blobError(
    'toolcrib.blob_invalid',
    `A blob is written as Uint8Array or Buffer, not as ${typeof chunk}.`,
  )
}
