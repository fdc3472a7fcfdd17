import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from '../../files/sync-folder.js'

/** Makes a folder and those above it, each durably. Node's own recursive way never returns where the system says "no such file". */
export function makeFolder(path: string): void {
  const missing: string[] = []
  for (let folder = path; !existsSync(folder) && folder !== dirname(folder); folder = dirname(folder))
    missing.push(folder)
  for (const folder of missing.toReversed()) mkdirIfMissing(folder)
}

// Another process may make it at the same moment.
function mkdirIfMissing(folder: string): void {
  try {
    mkdirSync(folder)
    syncFolder(dirname(folder))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
