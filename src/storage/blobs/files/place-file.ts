import { link, rename, utimes } from 'node:fs/promises'
import type { FinishedFile } from '../spool/temporary-file.js'
import { statBlob } from './blob-tree.js'

/** What came of giving a finished file its name. */
export interface PlacedFile {
  storedAt: number
  /** Of the file that had the name before. */
  replacedBytes: number | undefined
  /** Whether nothing had the name; absent where the file system cannot tell. */
  isNew?: boolean
}

/** Gives a finished file its name, also where another process does the same at this moment. */
export async function placeFile(file: FinishedFile, path: string): Promise<PlacedFile> {
  const isNew = await linkNew(file.path, path)
  if (isNew) return { storedAt: file.storedAt, replacedBytes: undefined, isNew }
  const known = await statBlob(path, file.hex)
  // Later than the one before it: whoever removes that one can tell that it was stored again.
  const storedAt = Math.max(file.storedAt, (known?.storedAt ?? 0) + 1)
  if (storedAt > file.storedAt) await utimes(file.path, storedAt / 1000, storedAt / 1000)
  // Also over a blob that is there: it has the same bytes, and is now as new as this one.
  await rename(file.path, path)
  return { storedAt, replacedBytes: known?.sizeBytes, ...(isNew === false && { isNew }) }
}

/** `undefined` where the file system knows no second names. */
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
