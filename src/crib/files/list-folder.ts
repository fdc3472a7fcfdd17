import { readdirSync } from 'node:fs'
import type { FolderEntry } from '../../policy/commands/match-links.js'

/** What lies in a folder; nothing where it cannot be looked into. */
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
