import { readdirSync, statSync, type Dirent } from 'node:fs'
import { join, resolve } from 'node:path'

export interface ExpandedPaths {
  /** Absolute, sorted, each once. */
  paths: string[]
  /** Patterns that matched no file, as they were written. */
  missing: string[]
}

/** The file system functions that a glob needs. Links are followed by `kindOf`. */
export interface GlobFileSystem {
  kindOf(path: string): 'file' | 'folder' | undefined
  entriesOf(folder: string): readonly Dirent[]
}

const DISK: GlobFileSystem = { kindOf, entriesOf }

/** Paths and simple globs (`*` within a name, `**` across folders), relative to `folder`, become files. */
export function expandPaths(
  patterns: readonly string[],
  folder: string,
  fileSystem: GlobFileSystem = DISK,
): ExpandedPaths {
  const paths = new Set<string>()
  const missing: string[] = []
  for (const pattern of patterns) {
    const found = new Set(matchPattern(pattern, folder, fileSystem))
    if (found.size === 0) missing.push(pattern)
    for (const path of found) paths.add(path)
  }
  return { paths: [...paths].toSorted(), missing }
}

function matchPattern(pattern: string, folder: string, fileSystem: GlobFileSystem): Iterable<string> {
  // A backslash is part of the name on POSIX, a separator on Windows.
  const segments = (process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern).split('/')
  const firstGlob = segments.findIndex((segment) => segment.includes('*'))
  if (firstGlob === -1) {
    const path = resolve(folder, pattern)
    return fileSystem.kindOf(path) === 'file' ? [path] : []
  }
  const start = resolve(
    folder,
    segments.slice(0, firstGlob).join('/') || (pattern.startsWith('/') ? '/' : '.'),
  )
  const rest = segments
    .slice(firstGlob)
    .filter((segment, index, all) => segment !== '' && !(segment === '**' && all[index - 1] === '**'))
  return walk(start, rest, fileSystem)
}

function* walk(folder: string, segments: readonly string[], fileSystem: GlobFileSystem): Iterable<string> {
  const [segment, ...rest] = segments
  if (segment === undefined) return
  if (segment === '**') {
    // A last `**` means every file below.
    yield* walk(folder, rest.length === 0 ? ['*'] : rest, fileSystem)
    for (const entry of fileSystem.entriesOf(folder)) {
      // Symbolic links are not followed here: one that points upward would never end.
      if (entry.isDirectory() && !isSkipped(entry.name))
        yield* walk(join(folder, entry.name), segments, fileSystem)
    }
    return
  }
  const isGlob = segment.includes('*')
  const names = isGlob
    ? fileSystem
        .entriesOf(folder)
        .map((entry) => entry.name)
        .filter(nameMatcher(segment))
    : [segment]
  for (const name of names) {
    const path = join(folder, name)
    const kind = fileSystem.kindOf(path)
    if (rest.length > 0) {
      // Only a wildcard skips folders; a folder that is written out is always meant.
      if (kind === 'folder' && !(isGlob && isSkipped(name))) yield* walk(path, rest, fileSystem)
    } else if (kind === 'file' && !isDeclaration(name)) yield path
  }
}

function nameMatcher(segment: string): (name: string) => boolean {
  const parts = segment.split(/\*+/).map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
  const expression = new RegExp(`^${parts.join('.*')}$`, 's')
  const wantsDotFile = segment.startsWith('.')
  return (name) => (wantsDotFile || !name.startsWith('.')) && expression.test(name)
}

const isSkipped = (name: string): boolean => name === 'node_modules' || name.startsWith('.')

/** `tools/*.ts` means modules; a declaration file has nothing to run. */
const isDeclaration = (name: string): boolean => /\.d\.[cm]?ts$/.test(name)

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // absent or unreadable: the pattern then shows up as missing
  }
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat?.isFile() ? 'file' : stat?.isDirectory() ? 'folder' : undefined
  } catch {
    return undefined
  }
}
