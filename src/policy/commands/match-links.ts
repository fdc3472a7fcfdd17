import { segmentsOverlap } from '../patterns/overlap.js'
import { escapeWildcards, isWild, plainName, segmentsOf } from '../patterns/path-pattern.js'

export interface FolderEntry {
  readonly name: string
  readonly isLink: boolean
  readonly isFolder: boolean
}

interface Looking {
  listFolder(path: string): readonly FolderEntry[]
  readonly found: string[]
  /** How many entries may still be read. */
  left: number
}

const MAX_ENTRIES = 2000

/**
 * The paths with a link in them that the shell may put in place of wildcards: the target of such a link appears in none
 * of the words. Undefined if there is too much to read.
 */
export function matchLinks(
  pattern: string,
  listFolder: (path: string) => readonly FolderEntry[],
): readonly string[] | undefined {
  const looking: Looking = { listFolder, found: [], left: MAX_ENTRIES }
  look('', segmentsOf(pattern), looking)
  return looking.left < 0 ? undefined : looking.found
}

function look(folder: string, segments: readonly string[], looking: Looking): void {
  const wild = segments.findIndex(isWild)
  if (wild === -1) {
    looking.found.push([folder, ...segments.map(plainName)].join('/'))
    return
  }
  const base = [folder, ...segments.slice(0, wild).map(plainName)].join('/')
  const rest = segments.slice(wild + 1)
  for (const { name, isLink, isFolder } of looking.listFolder(base === '' ? '/' : base)) {
    if (--looking.left < 0) return
    const isMet = segments[wild] === '**' || segmentsOverlap(escapeWildcards(name), segments[wild]!)
    if (isMet && (isLink || (isFolder && rest.length > 0))) look(`${base}/${name}`, rest, looking)
  }
}
