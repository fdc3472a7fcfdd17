import { createHash } from 'node:crypto'
import { closedBlobs, endedWriter, missingBlob } from '../blob-error.js'
import type { BlobStat, BlobStore, BlobWriter, CommittedBlob } from '../blob-store.js'
import { checkChunk } from '../check-chunk.js'
import { parseDigest, toDigest } from '../parse-digest.js'
import { resolveRange } from '../resolve-range.js'
import { checkTenant } from '../tenant-space.js'

interface StoredBlob {
  bytes: Buffer
  storedAt: number
}

const READ_BYTES = 1024 * 1024

/** Stores blobs in this process, for as long as it lives: for tests, and for outputs that fit in its memory. */
export function memoryBlobs(): BlobStore {
  const tenants = new Map<string, Map<string, StoredBlob>>()
  let state: 'new' | 'open' | 'closed' = 'new'

  function checkOpen(): void {
    if (state !== 'open') throw closedBlobs(state === 'closed')
  }

  function find(tenant: string, digest: string): { hex: string; blob: StoredBlob | undefined } {
    checkOpen()
    checkTenant(tenant)
    const hex = parseDigest(digest)
    return { hex, blob: tenants.get(tenant)?.get(hex) }
  }

  function keep(tenant: string, bytes: Buffer): CommittedBlob {
    checkOpen()
    const hex = createHash('sha256').update(bytes).digest('hex')
    const own = tenants.get(tenant) ?? new Map<string, StoredBlob>()
    tenants.set(tenant, own)
    const known = own.get(hex)
    const storedAt = Math.max(Date.now(), (known?.storedAt ?? 0) + 1)
    const blob = { bytes: known?.bytes ?? bytes, storedAt }
    own.set(hex, blob)
    return { ...statOf(hex, blob), isNew: !known }
  }

  return {
    name: 'memory',
    location: 'the memory of this process',
    isEphemeral: true,
    async open() {
      if (state === 'closed') throw closedBlobs(true)
      state = 'open'
    },
    async create(tenant) {
      checkOpen()
      checkTenant(tenant)
      return createWriter((bytes) => keep(tenant, bytes))
    },
    async stat(tenant, digest) {
      const { hex, blob } = find(tenant, digest)
      return blob && statOf(hex, blob)
    },
    async *read(tenant, digest, options = {}) {
      const { hex, blob } = find(tenant, digest)
      if (!blob) throw missingBlob(hex)
      const { start, end } = resolveRange(options, blob.bytes.length)
      // A copy: a reader must not be able to change the stored bytes.
      for (let at = start; at < end; at += READ_BYTES)
        yield Buffer.from(blob.bytes.subarray(at, Math.min(end, at + READ_BYTES)))
    },
    async remove(tenant, digest, { ifStoredBefore = Infinity } = {}) {
      const { hex, blob } = find(tenant, digest)
      if (!blob || blob.storedAt >= ifStoredBefore) return false
      const own = tenants.get(tenant)
      own?.delete(hex)
      if (own?.size === 0) tenants.delete(tenant)
      return true
    },
    async *list(tenant) {
      checkOpen()
      const wanted = tenant === undefined ? [...tenants.keys()] : [tenant]
      for (const each of wanted)
        for (const [hex, blob] of tenants.get(each) ?? []) yield { tenant: each, ...statOf(hex, blob) }
    },
    async usage(tenant) {
      checkOpen()
      const own = [...(tenants.get(tenant)?.values() ?? [])]
      return { bytes: own.reduce((sum, { bytes }) => sum + bytes.length, 0), count: own.length }
    },
    async close() {
      state = 'closed'
      tenants.clear()
    },
  }
}

function statOf(hex: string, { bytes, storedAt }: StoredBlob): BlobStat {
  return { digest: toDigest(hex), sizeBytes: bytes.length, storedAt }
}

function createWriter(keep: (bytes: Buffer) => CommittedBlob): BlobWriter {
  let chunks: Buffer[] | undefined = []
  let committed: Promise<CommittedBlob> | undefined

  async function finish(): Promise<CommittedBlob> {
    if (!chunks) throw endedWriter()
    const bytes = Buffer.concat(chunks)
    chunks = undefined
    return keep(bytes)
  }

  return {
    async write(chunk) {
      checkChunk(chunk)
      if (!chunks) throw endedWriter()
      chunks.push(Buffer.from(chunk))
    },
    commit: () => (committed ??= finish()),
    async abort() {
      chunks = undefined
    },
  }
}
