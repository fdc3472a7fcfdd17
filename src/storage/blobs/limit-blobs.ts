import { createSerialQueue } from '../../platform/async/create-serial-queue.js'
import { blobError } from './blob-error.js'
import type { BlobStore, BlobWriter } from './blob-store.js'
import { checkChunk } from './check-chunk.js'

export interface BlobLimits {
  /** For all blobs of a tenant together. */
  tenantBytes?: number | undefined
  tenantCount?: number | undefined
  /** For a single blob. */
  blobBytes?: number | undefined
}

interface Pending {
  bytes: number
  count: number
}

/**
 * A blob store with a quota in front. A blob counts from its first byte on, also where the same bytes are stored
 * already: that is known only at the end. As exact as the store's `usage`; writers in other processes are seen late.
 * `makeRoom` is called before a write is refused, also in the middle of a blob: what it removes no longer counts.
 */
export function limitBlobs(
  store: BlobStore,
  limitsOf: (tenant: string) => BlobLimits,
  makeRoom?: (tenant: string) => Promise<void>,
): BlobStore {
  const pending = new Map<string, Pending>()

  function reserve(tenant: string, bytes: number, count: number): void {
    const own = pending.get(tenant) ?? { bytes: 0, count: 0 }
    own.bytes += bytes
    own.count += count
    if (own.count === 0) pending.delete(tenant)
    else pending.set(tenant, own)
  }

  /** Including the bytes that are reserved for it already. */
  async function checkQuota(tenant: string): Promise<void> {
    const problem = await quotaProblem(tenant)
    if (!problem) return
    await makeRoom?.(tenant)
    const left = makeRoom ? await quotaProblem(tenant) : problem
    if (left) throw left
  }

  async function quotaProblem(tenant: string): Promise<Error | undefined> {
    const { tenantBytes = Infinity, tenantCount = Infinity } = limitsOf(tenant)
    const { bytes, count } = await store.usage(tenant)
    const own = pending.get(tenant) ?? { bytes: 0, count: 0 }
    if (bytes + own.bytes > tenantBytes) return overQuota(`${tenantBytes} bytes`)
    return count + own.count > tenantCount ? overQuota(`${tenantCount} blobs`) : undefined
  }

  async function create(tenant: string): Promise<BlobWriter> {
    reserve(tenant, 0, 1)
    try {
      await checkQuota(tenant)
      const writer = await store.create(tenant)
      return limitWriter(writer, {
        maxBytes: limitsOf(tenant).blobBytes ?? Infinity,
        async grow(bytes) {
          reserve(tenant, bytes, 0)
          await checkQuota(tenant)
        },
        release: (bytes) => reserve(tenant, -bytes, -1),
      })
    } catch (error) {
      reserve(tenant, 0, -1)
      throw error
    }
  }

  return { ...store, create }
}

interface Reservation {
  maxBytes: number
  grow(bytes: number): Promise<void>
  release(bytes: number): void
}

function limitWriter(writer: BlobWriter, { maxBytes, grow, release }: Reservation): BlobWriter {
  let reservedBytes = 0
  let isReleased = false

  function releaseOnce(): void {
    if (!isReleased) release(reservedBytes)
    isReleased = true
  }

  async function take(chunk: Uint8Array): Promise<void> {
    if (isReleased) return writer.write(chunk)
    reservedBytes += chunk.length
    await grow(chunk.length)
    if (reservedBytes > maxBytes)
      throw blobError(
        'toolcrib.blob_quota',
        `A single blob may have ${maxBytes} bytes here; store less, or raise the limit.`,
      )
    await writer.write(chunk)
  }

  async function takeOrEnd(chunk: Uint8Array): Promise<void> {
    try {
      await take(chunk)
    } catch (error) {
      await writer.abort().catch(() => {})
      releaseOnce()
      throw error
    }
  }

  // In order: each write waits for the usage before it.
  const writes = createSerialQueue()
  return {
    async write(chunk) {
      checkChunk(chunk)
      return writes.run(() => takeOrEnd(chunk))
    },
    async commit() {
      await writes.idle()
      try {
        return await writer.commit()
      } finally {
        releaseOnce()
      }
    },
    async abort() {
      await writes.idle()
      await writer.abort()
      releaseOnce()
    },
  }
}

function overQuota(what: string): Error {
  return blobError(
    'toolcrib.blob_quota',
    `This tenant's blobs would be more than ${what}; remove some, or raise the quota.`,
  )
}
