import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { blobError, corruptBlob, isBlobError, missingBlob } from '../blob-error.js'
import type { BlobReadOptions } from '../blob-store.js'
import { resolveRange } from '../resolve-range.js'
import type { S3Client } from './s3-client.js'

export interface ReadObjectOptions extends BlobReadOptions {
  client: S3Client
  key: string
  hex: string
  sizeBytes: number
}

const MAX_FRUITLESS = 4

/** The bytes of an object, as they arrive. If the connection breaks, it continues from there, a few times in a row. */
export async function* readObject(options: ReadObjectOptions): AsyncGenerator<Uint8Array> {
  const { client, key, hex, sizeBytes } = options
  const { start, end, isWhole } = resolveRange(options, sizeBytes)
  const hash = options.verify && isWhole ? createHash('sha256') : undefined
  let fruitless = 0
  let why: unknown
  for (let at = start; at < end;) {
    const before = at
    const headers = { range: `bytes=${at}-${end - 1}` }
    const response = await client.send({ method: 'GET', key, headers, accept: [404, 416] })
    try {
      for await (const chunk of bodyOf(response, { hex, isFromStart: at === 0 })) {
        const bytes = chunk.subarray(0, end - at)
        if (bytes.length === 0) break
        at += bytes.length
        hash?.update(bytes)
        yield bytes
      }
    } catch (error) {
      if (isBlobError(error)) throw error
      why = error
    }
    fruitless = at === before ? fruitless + 1 : 0
    if (fruitless === MAX_FRUITLESS) throw brokenRead(hex, why)
  }
  if (hash && hash.digest('hex') !== hex) throw corruptBlob(hex)
}

function bodyOf(
  response: IncomingMessage,
  { hex, isFromStart }: { hex: string; isFromStart: boolean },
): AsyncIterable<Buffer> {
  // A server without ranges sends everything; that is correct only for a read from the start.
  if (response.statusCode === 206 || (response.statusCode === 200 && isFromStart)) return response
  response.destroy()
  if (response.statusCode === 404) throw missingBlob(hex)
  throw corruptBlob(hex)
}

function brokenRead(hex: string, error: unknown): Error {
  return blobError(
    'toolcrib.blobs_unreachable',
    `The connection broke several times while sha256:${hex} was read; try again later.`,
    error,
  )
}
