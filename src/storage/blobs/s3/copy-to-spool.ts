import type { BlobStore } from '../blob-store.js'

export interface CopyOptions {
  tenant: string
  digest: string
  copies: BlobStore
}

/** Brings a blob into a local store, unless it is there, and gives its path. `read` compares it with its digest. */
export async function copyToSpool(
  read: () => AsyncIterable<Uint8Array>,
  { tenant, digest, copies }: CopyOptions,
): Promise<string | undefined> {
  const path = await copies.localPath?.(tenant, digest)
  if (path !== undefined) return path
  const writer = await copies.create(tenant)
  try {
    for await (const chunk of read()) await writer.write(chunk)
    await writer.commit()
  } catch (error) {
    await writer.abort()
    throw error
  }
  return copies.localPath?.(tenant, digest)
}
