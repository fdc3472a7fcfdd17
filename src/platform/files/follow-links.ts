import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** As many links in a row as the system follows. */
const MAX_LINKS = 40
/** No system opens a longer one, and going up from it would take long. */
const MAX_CHARS = 4096

/** The path with its links followed. What does not exist yet keeps its name below the nearest folder that does. */
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

/** What cannot be looked at is as good as missing: what lies above it may still be a link. */
function lookAt(path: string): Stats | undefined {
  try {
    // A miss told without an exception: that would cost more than all the rest.
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

/** Where a link leads, seen from the folder in which it really lies. */
function targetOf(link: string): string | undefined {
  try {
    const folder = dirname(link)
    return resolve(realPath(folder) ?? folder, readlinkSync(link))
  } catch {
    return undefined
  }
}
