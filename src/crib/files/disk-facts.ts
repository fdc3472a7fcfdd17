import { lstatSync, readdirSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { ProtectedPaths } from '../../policy/protected-paths.js'
import { followLinks } from '../../platform/files/follow-links.js'

/** What judges may learn of this machine's files. */
export interface DiskFacts {
  /** The path with its links followed, to a place of ours also where it is only another name of the same file. */
  followLinks(path: string): string
  /** Whether something lies there, also a link that leads nowhere. */
  exists(path: string): boolean
}

/** A folder of ours with more than this is not searched to its end. */
const MAX_ENTRIES = 5000

export function createDiskFacts(places: ProtectedPaths): DiskFacts {
  const own = [...new Set([...(places.secret ?? []), ...places.own])]
  return {
    followLinks(path) {
      const real = followLinks(path)
      return twinOf(real, own) ?? real
    },
    exists: (path) => !path.includes('\0') && look(lstatSync, path) !== undefined,
  }
}

/** The file of ours that a path is another name of. Only a file with several names can be one, and few have. */
function twinOf(path: string, places: readonly string[]): string | undefined {
  const found = path.includes('\0') ? undefined : look(statSync, path)
  if (!found?.isFile() || found.nlink < 2) return undefined
  const isSame = (stats: Stats | undefined): boolean =>
    stats !== undefined && stats.ino === found.ino && stats.dev === found.dev
  let left = MAX_ENTRIES
  const open = [...places]
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

/** What cannot be looked at is as good as missing. */
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
