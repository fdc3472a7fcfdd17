import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from './sync-folder.js'

/**
 * Makes a folder and its parents, each durably. Node's own recursive mkdir never returns where the system says "no such
 * file". A given mode applies to every new folder, whatever the umask.
 */
export function makeFolder(path: string, { mode }: { mode?: number } = {}): void {
  const missing: string[] = []
  for (let folder = path; !existsSync(folder) && folder !== dirname(folder); folder = dirname(folder))
    missing.push(folder)
  for (const folder of missing.toReversed()) mkdirIfMissing(folder, mode)
}

// Another process may make it at the same moment.
function mkdirIfMissing(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, mode)
    if (mode !== undefined) chmodSync(folder, mode)
    syncFolder(dirname(folder))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
