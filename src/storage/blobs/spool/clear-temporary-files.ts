import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { livenessOfWriter } from './writer-mark.js'

const DAY_MS = 24 * 60 * 60 * 1000

/** Removes the files of dead writers, and files of unknown writers that were not touched for a day. */
export async function clearTemporaryFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const liveness = livenessOfWriter(name)
    if (liveness === 'dead' || (liveness === 'unknown' && (await isOld(path))))
      await rm(path, { force: true, recursive: true })
  }
}

async function isOld(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await lstat(path)
    return Date.now() - mtimeMs > DAY_MS
  } catch {
    // Its writer ended meanwhile, and removed it.
    return false
  }
}
