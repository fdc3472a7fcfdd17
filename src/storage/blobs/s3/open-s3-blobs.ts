import { missingBlob } from '../blob-error.js'
import type { BlobReadOptions, BlobStat, BlobStore } from '../blob-store.js'
import { createOneAtATime } from '../one-at-a-time.js'
import { createBlobWriter } from '../spool/blob-writer.js'
import { parseDigest, toDigest } from '../parse-digest.js'
import { createTemporaryFile, type FinishedFile, type TemporaryFile } from '../spool/temporary-file.js'
import { checkTenant, tenantSpace } from '../tenant-space.js'
import { createUsageCount } from '../usage-count.js'
import { listObjects, toWholeSeconds, type S3Location } from './list-objects.js'
import { openSpool } from './open-spool.js'
import { readObject } from './read-object.js'
import { createS3Client, type S3Client } from './s3-client.js'
import type { S3Settings } from './s3-settings.js'
import { toPath } from './sign-request.js'
import { uploadFile } from './upload-file.js'

const STALE_MS = 300_000
// The largest object that a server copies in one request.
const MAX_COPY_BYTES = 5 * 1024 ** 3
const MAX_REMEMBERED = 10_000

export async function openS3Blobs(settings: S3Settings, spoolFolder: string | undefined): Promise<BlobStore> {
  const spool = await openSpool(spoolFolder)
  const client = createS3Client(settings)
  await checkBucket(client)
  const place: S3Location = { client, prefix: settings.prefix }
  const writing = new Set<TemporaryFile>()
  const recorded = new Set<string>()
  const oneAtATime = createOneAtATime()

  const usageCount = createUsageCount({
    staleMs: STALE_MS,
    async walk(tenant, covered) {
      for await (const { hex, sizeBytes } of listObjects(place, tenant))
        covered(hex, { bytes: sizeBytes, count: 1 })
      covered('~', { bytes: 0, count: 0 })
    },
  })

  const keyOf = (tenant: string, hex: string): string =>
    `${settings.prefix}${tenantSpace(tenant).folder}/${hex.slice(0, 2)}/${hex}`

  async function statHex(tenant: string, hex: string): Promise<BlobStat | undefined> {
    const { status, headers } = await client.ask({ method: 'HEAD', key: keyOf(tenant, hex), accept: [404] })
    if (status === 404) return undefined
    const storedAt = toWholeSeconds(Date.parse(String(headers['last-modified'])))
    return { digest: toDigest(hex), sizeBytes: Number(headers['content-length']), storedAt }
  }

  /** A tenant's name is stored before its first blob, where the key does not contain it. */
  async function recordTenant(tenant: string): Promise<void> {
    const { folder, record } = tenantSpace(tenant)
    if (record === undefined || recorded.has(folder)) return
    await client.ask({ method: 'PUT', key: `${settings.prefix}${folder}/tenant.json`, body: record })
    if (recorded.size >= MAX_REMEMBERED) recorded.clear()
    recorded.add(folder)
  }

  /**
   * Copies an object onto itself, which gives it the time of this write. Not every server supports this, nor at every
   * size.
   */
  async function renew(key: string, sizeBytes: number): Promise<boolean> {
    if (sizeBytes > MAX_COPY_BYTES) return false
    const source = toPath(`/${settings.bucket}/${key}`)
    const headers = { 'x-amz-copy-source': source, 'x-amz-metadata-directive': 'REPLACE' }
    const accept = [400, 404, 405, 409, 412, 501]
    const { text } = await client.ask({ method: 'PUT', key, headers, accept })
    return text.includes('CopyObjectResult')
  }

  async function store(tenant: string, file: FinishedFile): Promise<BlobStat> {
    const key = keyOf(tenant, file.hex)
    const known = await statHex(tenant, file.hex)
    const isSame = known?.sizeBytes === file.sizeBytes
    if (!isSame || !(await renew(key, file.sizeBytes)))
      await uploadFile(file, { client, key, maxRequestBytes: settings.maxRequestBytes })
    const change = { bytes: file.sizeBytes - (known?.sizeBytes ?? 0), count: known ? 0 : 1 }
    usageCount.changed(tenant, file.hex, change)
    const stat = await statHex(tenant, file.hex)
    if (!stat) throw missingBlob(file.hex)
    return stat
  }

  async function* read(
    tenant: string,
    digest: string,
    options: BlobReadOptions = {},
  ): AsyncGenerator<Uint8Array> {
    const hex = parseDigest(digest)
    const stat = await statHex(tenant, hex)
    if (!stat) throw missingBlob(hex)
    yield* readObject({ ...options, client, key: keyOf(tenant, hex), hex, sizeBytes: stat.sizeBytes })
  }

  return {
    name: 's3',
    location: settings.location,
    async open() {},
    async create(tenant) {
      checkTenant(tenant)
      const file = await createTemporaryFile(spool.incoming, { isPassing: true })
      writing.add(file)
      return createBlobWriter(file, {
        async commit() {
          const finished = await file.finish()
          await recordTenant(tenant)
          // A concurrent writer of the same bytes finds them stored, and counts nothing twice.
          return oneAtATime(keyOf(tenant, finished.hex), () => store(tenant, finished))
        },
        ended: () => writing.delete(file),
      })
    },
    stat: (tenant, digest) => statHex(tenant, parseDigest(digest)),
    read,
    async localPath(tenant, digest) {
      if (!(await statHex(tenant, parseDigest(digest)))) return undefined
      return copyToSpool(() => read(tenant, digest, { verify: true }), {
        tenant,
        digest,
        copies: spool.copies,
      })
    },
    async remove(tenant, digest, { ifStoredBefore = Infinity } = {}) {
      const hex = parseDigest(digest)
      return oneAtATime(keyOf(tenant, hex), async () => {
        const stat = await statHex(tenant, hex)
        if (!stat || stat.storedAt >= ifStoredBefore) return false
        // Bytes that were stored again have the same tag: only their time differs, where a server supports that
        // condition.
        const headers = { 'if-unmodified-since': new Date(stat.storedAt).toUTCString() }
        const { status } = await client.ask({
          method: 'DELETE',
          key: keyOf(tenant, hex),
          headers,
          accept: [404, 412],
        })
        if (status === 412) return false
        await spool.copies.remove(tenant, digest)
        usageCount.changed(tenant, hex, { bytes: -stat.sizeBytes, count: -1 })
        return true
      })
    },
    async *list(tenant) {
      for await (const { hex, ...stat } of listObjects(place, tenant))
        yield { digest: toDigest(hex), ...stat }
    },
    usage: (tenant) => usageCount.of(tenant),
    async close() {
      await Promise.all([...writing].map((file) => file.discard().catch(() => {})))
      await spool.copies.close()
      client.close()
    },
  }
}

/** Reports at once what is wrong with the URL, the bucket or the keys, and not at the first blob. */
async function checkBucket(client: S3Client): Promise<void> {
  try {
    await client.ask({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1' } })
  } catch (error) {
    client.close()
    throw error
  }
}

interface CopyOptions {
  tenant: string
  digest: string
  copies: BlobStore
}

/** Copies a blob into a local store, unless it is there, and returns its path. `read` compares it with its digest. */
async function copyToSpool(
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
