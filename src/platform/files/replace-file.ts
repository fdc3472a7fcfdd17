import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder } from './sync-folder.js'

/** Replaces a file by a text: afterwards the file has either the whole new text or still the old one. */
export function replaceFile(path: string, text: string, { mode = 0o600 }: { mode?: number } = {}): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true })
  const draft = join(folder, `.${randomBytes(8).toString('hex')}.tmp`)
  try {
    const file = openSync(draft, 'wx', existsSync(path) ? statSync(path).mode & 0o777 : mode)
    try {
      const bytes = Buffer.from(text)
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  syncFolder(folder)
}
