import type { PayloadRecord } from '../../results/payloads/payload-record.js'
import type { PayloadSource } from '../../results/read-back/payload-source.js'
import type { BlobStore } from '../../storage/blobs/blob-store.js'
import { lineAtOffset, placeOfLine, readLineIndex } from '../../storage/blobs/line-index.js'

/** Kept bytes as something to be read in pages, with the way to their lines. */
export async function openPayload(
  blobs: BlobStore,
  tenant: string,
  record: PayloadRecord,
): Promise<PayloadSource> {
  const index =
    record.index_digest === undefined ? undefined : await loadIndex(blobs, tenant, record.index_digest)
  return {
    sizeBytes: record.size_bytes,
    mediaType: record.media_type,
    read: (start, end) => blobs.read(tenant, record.digest, { start, end }),
    ...(index && {
      lines: {
        lineCount: index.lineCount,
        placeOfLine: (line) => placeOfLine(index, line),
        lineAtOffset: (offset) => lineAtOffset(index, offset),
      },
    }),
  }
}

async function loadIndex(blobs: BlobStore, tenant: string, digest: string) {
  const chunks: Uint8Array[] = []
  for await (const chunk of blobs.read(tenant, digest)) chunks.push(chunk)
  return readLineIndex(Buffer.concat(chunks))
}
