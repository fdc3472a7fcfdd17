import { createHash } from 'node:crypto'
import type { CommittedBlob, BlobStore } from '../../../src/storage/blobs/blob-store.js'

/** The same bytes for the same seed: they look random and do not repeat. */
export function bytesOf(seed: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let state = (seed * 2654435761 + 1) >>> 0
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

export async function storeBytes(
  store: BlobStore,
  tenant: string,
  bytes: Uint8Array | string,
  chunkBytes = 300_000,
): Promise<CommittedBlob> {
  const all = Buffer.from(bytes)
  const writer = await store.create(tenant)
  for (let at = 0; at < all.length; at += chunkBytes) await writer.write(all.subarray(at, at + chunkBytes))
  return writer.commit()
}

export async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The code of the failure; the message must be one sentence. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    const { code, message } = error as Error & { code: string }
    if (!/^[A-Z"/].*\.$/s.test(message)) throw new Error(`no sentence: ${message}`, { cause: error })
    return code
  }
  return 'nothing failed'
}
