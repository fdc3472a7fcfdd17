import { lstatSync, readdirSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { ProtectedPaths } from '../../policy/protected-paths.js'
import { followLinks } from '../../platform/files/follow-links.js'

/** What the policy may learn about files on this machine. */
export interface DiskFacts {
  /** The path with links followed. A hard link to a protected file resolves to the protected path. */
  followLinks(path: string): string
  /** Whether the path exists, also as a dangling link. */
  exists(path: string): boolean
}

/** The maximum number of entries that are searched in the protected folders. */
const MAX_ENTRIES = 5000

export function createDiskFacts(protectedPaths: ProtectedPaths): DiskFacts {
  const own = [...new Set([...(protectedPaths.secret ?? []), ...protectedPaths.own])]
  return {
    followLinks(path) {
      const real = followLinks(path)
      return twinOf(real, own) ?? real
    },
    exists: (path) => !path.includes('\0') && look(lstatSync, path) !== undefined,
  }
}

/**
 * The protected file that a path is a hard link to. Only files with several links are searched for, and they are rare.
 */
function twinOf(path: string, paths: readonly string[]): string | undefined {
  const found = path.includes('\0') ? undefined : look(statSync, path)
  if (!found?.isFile() || found.nlink < 2) return undefined
  const isSame = (stats: Stats | undefined): boolean =>
    stats !== undefined && stats.ino === found.ino && stats.dev === found.dev
  let left = MAX_ENTRIES
  const open = [...paths]
  for (let at = open.shift(); at !== undefined && left > 0; at = open.shift()) {
    left--
    const stats = look(lstatSync, at)
    if (isSame(stats)) return at
    if (stats?.isDirectory()) open.push(...namesIn(at))
  }
  return undefined
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** An unreadable path counts as missing. */
function look(
  stat: (path: string, options: { throwIfNoEntry: false }) => Stats | undefined,
  path: string,
): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
