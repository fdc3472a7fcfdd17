import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeFolder } from '../../../platform/files/make-folder.js'
import { blobError, closedBlobs, missingBlob } from '../blob-error.js'
import type { BlobStat, BlobStore, CommittedBlob } from '../blob-store.js'
import { createOneAtATime } from '../one-at-a-time.js'
import { parseDigest, toDigest } from '../parse-digest.js'
import { createBlobWriter } from '../spool/blob-writer.js'
import { clearTemporaryFiles } from '../spool/clear-temporary-files.js'
import { fileFailure } from '../spool/file-failure.js'
import { createTemporaryFile, type TemporaryFile } from '../spool/temporary-file.js'
import { checkTenant } from '../tenant-space.js'
import { createUsageCount } from '../usage-count.js'
import {
  blobsOf,
  hasPlace,
  makePlace,
  placeOf,
  shardsOf,
  statBlob,
  tenantsOf,
  type BlobPlace,
} from './blob-tree.js'
import { ensureFolder, syncFolders } from './folders.js'
import { placeFile } from './place-file.js'
import { readBlobFile } from './read-blob-file.js'
import { giveBackLeft, LEAVING, removeFile } from './remove-file.js'

export interface FileBlobsOptions {
  /** A folder for blobs alone; made when it is not there. Any number of processes may share it. */
  path: string
}

const STALE_MS = 60_000
// On the same file system as the blobs, so that a finished file only needs its name.
const INCOMING = 'incoming'
const ALL_SHARDS = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'))

/** Keeps each blob in a file that only this user can read. */
export function fileBlobs({ path }: FileBlobsOptions): BlobStore {
  if (typeof path !== 'string' || path === '')
    throw blobError('toolcrib.blob_invalid', 'Blobs in files: "path" must name a folder.')
  const location = resolve(path)
  const oneAtATime = createOneAtATime()
  const writing = new Set<TemporaryFile>()
  let root: string | undefined
  let isClosed = false

  function openRoot(): string {
    if (root === undefined || isClosed) throw closedBlobs(isClosed)
    return root
  }

  const usageCount = createUsageCount({
    staleMs: STALE_MS,
    async walk(tenant, covered) {
      const top = openRoot()
      for (const shard of ALL_SHARDS) {
        // No blob of these digits comes or goes here while they are counted.
        await oneAtATime(placeOf(top, tenant, shard).shardFolder, async () => {
          const usage = { bytes: 0, count: 0 }
          for await (const { sizeBytes } of blobsOf(top, tenant, shard)) {
            usage.bytes += sizeBytes
            usage.count++
          }
          // Behind every digest that begins with these digits.
          covered(`${shard}~`, usage)
        })
      }
    },
  })

  function locate(tenant: string, digest: string): BlobPlace & { hex: string } {
    const hex = parseDigest(digest)
    return { hex, ...placeOf(openRoot(), tenant, hex) }
  }

  /** What the file system says is told as a sentence of ours. */
  async function attempt<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work()
    } catch (error) {
      throw fileFailure(error, location)
    }
  }

  const stat = ({ hex, ...place }: BlobPlace & { hex: string }): Promise<BlobStat | undefined> =>
    attempt(async () => ((await hasPlace(place)) ? statBlob(place.path, hex) : undefined))

  async function commit(tenant: string, file: TemporaryFile): Promise<CommittedBlob> {
    const finished = await file.finish()
    const { hex, sizeBytes } = finished
    const top = openRoot()
    const place = placeOf(top, tenant, hex)
    await makePlace(place, { tenant, incoming: join(top, INCOMING) })
    const { storedAt, isNew } = await oneAtATime(place.shardFolder, async () => {
      const placed = await placeFile(finished, place.path)
      const { replacedBytes } = placed
      const change = { bytes: sizeBytes - (replacedBytes ?? 0), count: replacedBytes === undefined ? 1 : 0 }
      usageCount.changed(tenant, hex, change)
      return placed
    })
    // The folders too, and those above: another process may have made them a moment ago and not be as far.
    await syncFolders(place.shardFolder, place.tenantFolder, top)
    return { digest: toDigest(hex), sizeBytes, storedAt, ...(isNew !== undefined && { isNew }) }
  }

  return {
    name: 'files',
    location,
    open: () =>
      attempt(async () => {
        if (isClosed) throw closedBlobs(true)
        makeFolder(location, { mode: 0o700 })
        const top = await realpath(location)
        await ensureFolder(join(top, INCOMING))
        await ensureFolder(join(top, LEAVING))
        await clearTemporaryFiles(join(top, INCOMING))
        await giveBackLeft(top)
        root = top
      }),
    async create(tenant) {
      const incoming = join(openRoot(), INCOMING)
      checkTenant(tenant)
      const file = await createTemporaryFile(incoming)
      writing.add(file)
      return createBlobWriter(file, {
        commit: () => attempt(() => commit(tenant, file)),
        ended: () => writing.delete(file),
      })
    },
    stat: async (tenant, digest) => stat(locate(tenant, digest)),
    async *read(tenant, digest, options = {}) {
      const place = locate(tenant, digest)
      if (!(await attempt(() => hasPlace(place)))) throw missingBlob(place.hex)
      yield* readBlobFile(place.path, place.hex, options)
    },
    async localPath(tenant, digest) {
      const place = locate(tenant, digest)
      return (await stat(place)) && place.path
    },
    remove(tenant, digest, { ifStoredBefore = Infinity } = {}) {
      return attempt(async () => {
        const { hex, ...place } = locate(tenant, digest)
        if (!(await hasPlace(place))) return false
        return oneAtATime(place.shardFolder, async () => {
          const known = await removeFile({ root: openRoot(), hex, ...place }, ifStoredBefore)
          if (!known) return false
          usageCount.changed(tenant, hex, { bytes: -known.sizeBytes, count: -1 })
          return true
        })
      })
    },
    async *list(tenant) {
      const top = openRoot()
      const tenants = tenant === undefined ? tenantsOf(top) : [tenant]
      for await (const each of tenants)
        for (const shard of await attempt(() => shardsOf(top, each)))
          for await (const found of blobsOf(top, each, shard)) yield { tenant: each, ...found }
    },
    async usage(tenant) {
      openRoot()
      return attempt(() => usageCount.of(tenant))
    },
    async close() {
      isClosed = true
      await Promise.all([...writing].map((file) => file.discard().catch(() => {})))
    },
  }
}
