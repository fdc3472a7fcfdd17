import { readdirSync } from 'node:fs'
import type { FolderEntry } from '../../policy/commands/match-links.js'

/** The entries of a folder; none if it cannot be read. */
export function listFolder(path: string): readonly FolderEntry[] {
  try {
    return readdirSync(path, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isLink: entry.isSymbolicLink(),
      isFolder: entry.isDirectory(),
    }))
  } catch {
    return []
  }
}
