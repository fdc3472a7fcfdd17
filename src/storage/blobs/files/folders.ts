import { chmod, lstat, mkdir, open } from 'node:fs/promises'
import { blobError } from '../blob-error.js'

const OWNER_ONLY = 0o700

/** Creates one folder that only this user can enter, unless it exists. */
export async function ensureFolder(path: string): Promise<void> {
  if (await hasFolder(path)) return
  try {
    await mkdir(path, OWNER_ONLY)
    // A umask may have removed even the owner's permissions.
    await chmod(path, OWNER_ONLY)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await hasFolder(path))) throw error
  }
}

/** Fails for anything else under that name: a link could lead reads and writes to any path of the system. */
export async function hasFolder(path: string): Promise<boolean> {
  const found = await statOf(path)
  if (!found || found.isDirectory()) return found !== undefined
  throw blobError(
    'toolcrib.blobs_failed',
    `${path} is no folder, and a blob store follows no links inside its own; move it away.`,
  )
}

/** Like `lstat`, but undefined for a missing file. */
export async function statOf(path: string): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Makes names in these folders durable. Systems on which folders cannot be opened need no sync. */
export async function syncFolders(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const folder = await open(path, 'r').catch(() => undefined)
    try {
      await folder?.sync()
    } finally {
      await folder?.close()
    }
  }
}
