import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from 'node:fs'

/**
 * A path that must not be created inside a writable folder is mounted on, and a mount needs something there. A
 * placeholder is empty and has the oldest time that there is, by which any process knows it: what a process left behind
 * is used and removed by the next one.
 */
const PLACEHOLDER_TIME = new Date(0)

/** Creates what does not exist. Parents come first. */
export function createPlaceholders(paths: readonly { path: string; isFolder: boolean }[]): void {
  const created: string[] = []
  for (const { path, isFolder } of paths) {
    if (lookAt(path)) continue
    if (isFolder) mkdirSync(path)
    else writeFileSync(path, '', { flag: 'wx' })
    created.push(path)
  }
  // The innermost first: creating something in a folder changes its time.
  for (const path of created.toReversed()) utimesSync(path, PLACEHOLDER_TIME, PLACEHOLDER_TIME)
}

/** Removes placeholders, except those on which another sandbox has mounted: removing one would end its protection. */
export function removePlaceholders(paths: readonly string[]): void {
  if (paths.length === 0) return
  const used = mountPointsElsewhere()
  for (const path of paths.toReversed()) {
    const found = lookAt(path)
    if (!found || used.has(path)) continue
    try {
      // A folder whose own placeholders were removed has a new time: whether it is empty is all that counts.
      if (found.isDirectory()) rmdirSync(path)
      else if (isPlaceholder(found)) unlinkSync(path)
    } catch {
      // It has content by now.
    }
  }
}

/** Whether there is nothing at a path, or only a placeholder. */
export function isMissing(path: string): boolean {
  const found = lookAt(path)
  return found === undefined || isPlaceholder(found)
}

function isPlaceholder(found: Stats): boolean {
  return found.mtimeMs === 0 && (found.isDirectory() || (found.isFile() && found.size === 0))
}

/** The mount points of processes in other mount namespaces that this user may look at. */
function mountPointsElsewhere(): Set<string> {
  const own = linkOf('/proc/self/ns/mnt')
  const seen = new Set<string>()
  const points = new Set<string>()
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const namespace = linkOf(`/proc/${pid}/ns/mnt`)
    if (namespace === undefined || namespace === own || seen.has(namespace)) continue
    seen.add(namespace)
    for (const line of textOf(`/proc/${pid}/mountinfo`).split('\n')) {
      const point = line.split(' ')[4]
      if (point !== undefined)
        points.add(
          point.replaceAll(/\\(\d{3})/g, (_, octal: string) =>
            String.fromCodePoint(Number.parseInt(octal, 8)),
          ),
        )
    }
  }
  return points
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
