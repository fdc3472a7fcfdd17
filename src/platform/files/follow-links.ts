import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** The number of links in a row that the system follows. */
const MAX_LINKS = 40
/** No system opens a longer path, and walking up from it would take long. */
const MAX_CHARS = 4096

/**
 * The path with its links followed. A path that does not exist yet keeps its name below the nearest folder that does.
 */
export function followLinks(path: string): string {
  if (path.length > MAX_CHARS) return path
  let missing: string[] = []
  let at = path
  for (let links = 0; links < MAX_LINKS;) {
    const found = lookAt(at)
    if (found) {
      const real = realPath(at)
      if (real !== undefined) return join(real, ...missing)
      // A link whose target is not there yet still leads there: writing through it makes the target.
      const target = found.isSymbolicLink() ? targetOf(at) : undefined
      if (target === undefined) return path
      at = join(target, ...missing)
      missing = []
      links++
      continue
    }
    const above = dirname(at)
    if (above === at) return path
    missing = [basename(at), ...missing]
    at = above
  }
  return path
}

/** A path that cannot be read counts as missing: a part above it may still be a link. */
function lookAt(path: string): Stats | undefined {
  try {
    // No exception for a missing file: it would cost more than all the rest.
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The path without links; undefined where nothing exists. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

/** The target of a link, relative to the folder that really contains it. */
function targetOf(link: string): string | undefined {
  try {
    const folder = dirname(link)
    return resolve(realPath(folder) ?? folder, readlinkSync(link))
  } catch {
    return undefined
  }
}
