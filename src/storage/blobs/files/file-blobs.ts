import { realpath, link, rename, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeFolder } from '../../../platform/files/make-folder.js'
import { blobError, closedBlobs, missingBlob } from '../blob-error.js'
import type { BlobStat, BlobStore, CommittedBlob } from '../blob-store.js'
import { createOneAtATime } from '../one-at-a-time.js'
import { parseDigest, toDigest } from '../parse-digest.js'
import { createBlobWriter } from '../spool/blob-writer.js'
import { clearTemporaryFiles } from '../spool/clear-temporary-files.js'
import { fileFailure } from '../spool/file-failure.js'
import { createTemporaryFile, type TemporaryFile, type FinishedFile } from '../spool/temporary-file.js'
import { checkTenant } from '../tenant-space.js'
import { createUsageCount } from '../usage-count.js'
import {
  blobsOf,
  hasBlobFolders,
  makeBlobFolders,
  pathsOf,
  shardsOf,
  statBlob,
  tenantsOf,
  type BlobPaths,
} from './blob-tree.js'
import { ensureFolder, syncFolders } from './folders.js'
import { readBlobFile } from './read-blob-file.js'
import { giveBackLeft, LEAVING, removeFile } from './remove-file.js'

export interface FileBlobsOptions {
  /** A folder for blobs alone; created when it is missing. Any number of processes may share it. */
  path: string
}

const STALE_MS = 60_000
// On the same file system as the blobs, so that a finished file only has to be renamed.
const INCOMING = 'incoming'
const ALL_SHARDS = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'))

/** Stores each blob in a file that only this user can read. */
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
        // No blob with these digits is added or removed here while they are counted.
        await oneAtATime(pathsOf(top, tenant, shard).shardFolder, async () => {
          const usage = { bytes: 0, count: 0 }
          for await (const { sizeBytes } of blobsOf(top, tenant, shard)) {
            usage.bytes += sizeBytes
            usage.count++
          }
          // After every digest that begins with these digits.
          covered(`${shard}~`, usage)
        })
      }
    },
  })

  function locate(tenant: string, digest: string): BlobPaths & { hex: string } {
    const hex = parseDigest(digest)
    return { hex, ...pathsOf(openRoot(), tenant, hex) }
  }

  /** Turns failures of the file system into our own sentences. */
  async function attempt<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work()
    } catch (error) {
      throw fileFailure(error, location)
    }
  }

  const stat = ({ hex, ...place }: BlobPaths & { hex: string }): Promise<BlobStat | undefined> =>
    attempt(async () => ((await hasBlobFolders(place)) ? statBlob(place.path, hex) : undefined))

  async function commit(tenant: string, file: TemporaryFile): Promise<CommittedBlob> {
    const finished = await file.finish()
    const { hex, sizeBytes } = finished
    const top = openRoot()
    const place = pathsOf(top, tenant, hex)
    await makeBlobFolders(place, { tenant, incoming: join(top, INCOMING) })
    const { storedAt, isNew } = await oneAtATime(place.shardFolder, async () => {
      const placed = await nameFile(finished, place.path)
      const { replacedBytes } = placed
      const change = { bytes: sizeBytes - (replacedBytes ?? 0), count: replacedBytes === undefined ? 1 : 0 }
      usageCount.changed(tenant, hex, change)
      return placed
    })
    // The folders and their parents too: another process may have created them a moment ago and not synced them yet.
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
      if (!(await attempt(() => hasBlobFolders(place)))) throw missingBlob(place.hex)
      yield* readBlobFile(place.path, place.hex, options)
    },
    async localPath(tenant, digest) {
      const place = locate(tenant, digest)
      return (await stat(place)) && place.path
    },
    remove(tenant, digest, { ifStoredBefore = Infinity } = {}) {
      return attempt(async () => {
        const { hex, ...place } = locate(tenant, digest)
        if (!(await hasBlobFolders(place))) return false
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

/** The result of giving a finished file its name. */
interface NamedFile {
  storedAt: number
  /** The size of the file that had the name before. */
  replacedBytes: number | undefined
  /** Whether the name was free; absent where the file system cannot tell. */
  isNew?: boolean
}

/** Gives a finished file its name, also where another process does the same at this moment. */
async function nameFile(file: FinishedFile, path: string): Promise<NamedFile> {
  const isNew = await linkNew(file.path, path)
  if (isNew) return { storedAt: file.storedAt, replacedBytes: undefined, isNew }
  const known = await statBlob(path, file.hex)
  // Later than the previous one: a process that removes that one can tell that it was stored again.
  const storedAt = Math.max(file.storedAt, (known?.storedAt ?? 0) + 1)
  if (storedAt > file.storedAt) await utimes(file.path, storedAt / 1000, storedAt / 1000)
  // Also over an existing blob: it has the same bytes, and now has the time of this one.
  await rename(file.path, path)
  return { storedAt, replacedBytes: known?.sizeBytes, ...(isNew === false && { isNew }) }
}

/** `undefined` where the file system has no hard links. */
async function linkNew(from: string, to: string): Promise<boolean | undefined> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS' || code === 'EMLINK') return undefined
    throw error
  }
}
