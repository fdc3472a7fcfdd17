import { lstat } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '../../../platform/files/make-folder.js'
import { blobError } from '../blob-error.js'
import type { BlobStore } from '../blob-store.js'
import { fileBlobs } from '../files/file-blobs.js'

export interface Spool {
  /** Contains uploads in progress, and local copies of blobs that were requested as a file. */
  copies: BlobStore
  /** For files that are being written. */
  incoming: string
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Opens the local folder of a remote store. Copies that are older than a day are removed. */
export async function openSpool(folder: string | undefined): Promise<Spool> {
  const path = folder ?? (await ownTemporaryFolder())
  const copies = fileBlobs({ path })
  await copies.open()
  const bound = Date.now() - DAY_MS
  for await (const { tenant, digest } of copies.list())
    await copies.remove(tenant, digest, { ifStoredBefore: bound })
  return { copies, incoming: join(path, 'incoming') }
}

/** The same folder each time, so that the next process that opens it removes what a crash left. */
async function ownTemporaryFolder(): Promise<string> {
  const { uid } = userInfo()
  const path = join(tmpdir(), `toolcrib-blobs-${uid}`)
  makeFolder(path, { mode: 0o700 })
  const stat = await lstat(path)
  // Any user may create a folder of that name there, and could then read what passes through it.
  const isOurs = stat.isDirectory() && (uid === -1 || (stat.uid === uid && (stat.mode & 0o077) === 0))
  if (isOurs) return path
  throw blobError(
    'toolcrib.blobs_unreachable',
    `${path} belongs to someone else or is open to others; name another folder as "spoolFolder".`,
  )
}
