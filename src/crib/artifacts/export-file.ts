import { randomBytes } from 'node:crypto'
import { link, lstat, open, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { syncFolder } from '../../platform/files/sync-folder.js'
import type { ProtectedPaths } from '../../policy/protected-paths.js'
import { artifactError } from './artifact-error.js'

export interface ExportFileOptions {
  to: string
  overwrite: boolean
  protectedPaths: ProtectedPaths
}

/** Writes bytes to a file atomically: the whole file is on disk, or nothing. Returns the path. */
export async function exportFile(
  bytes: AsyncIterable<Uint8Array>,
  { to, overwrite, protectedPaths }: ExportFileOptions,
): Promise<string> {
  const folder = await folderOf(resolve(to))
  const path = join(folder, basename(resolve(to)))
  if ([...(protectedPaths.own ?? []), ...(protectedPaths.secret ?? [])].some((each) => isIn(path, each)))
    throw refused(`${path} is one of Toolcrib's own places; export to another folder.`)
  await checkTarget(path, overwrite)
  const draft = join(folder, `.${randomBytes(8).toString('hex')}.tmp`)
  try {
    await writeDraft(draft, bytes)
    if (overwrite) await rename(draft, path)
    else await linkOnce(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
  syncFolder(folder)
  return path
}

function isIn(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

function refused(message: string, cause?: unknown): Error {
  return artifactError('toolcrib.export_refused', message, cause)
}

async function folderOf(path: string): Promise<string> {
  try {
    const folder = await realpath(dirname(path))
    if ((await lstat(folder)).isDirectory()) return folder
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  }
  throw refused(`There is no folder ${dirname(path)}; make it, or export to another one.`)
}

/** Links are not followed: otherwise the author of the link would choose the file that is overwritten. */
async function checkTarget(path: string, overwrite: boolean): Promise<void> {
  const there = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!there) return
  if (there.isSymbolicLink()) throw refused(`${path} is a link; name the file that is meant.`)
  if (!there.isFile()) throw refused(`${path} is not a file; name a file in it.`)
  if (!overwrite) throw alreadyThere(path)
}

function alreadyThere(path: string, cause?: unknown): Error {
  return refused(`${path} is there already; choose another name, or say that it may be overwritten.`, cause)
}

async function writeDraft(draft: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(draft, 'wx')
  try {
    for await (const chunk of bytes) {
      for (let from = 0; from < chunk.length;)
        from += (await file.write(chunk, from, chunk.length - from)).bytesWritten
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Fails if a file of that name was created since the check. */
async function linkOnce(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw alreadyThere(path, error)
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error
    // The file system has no hard links: check again, then rename.
    await checkTarget(path, false)
    await rename(draft, path)
  }
}
