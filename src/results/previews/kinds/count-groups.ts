import { sayNumber } from '../cuts/say-number.js'
import type { KnownLine } from './known-lines.js'

const NAMED_GROUPS = 8
const GROUP_CHARS = 60
const NO_ENDING = 'without ending'

const grepHit = /^([^\s:][^:]*):\d+[:-]/
const longFormat = /^[bcdlps-][rwxsStT-]{9}[.+@]?\s/

/** Groups of lines in a listing: search hits by file, paths by folder, names by extension. */
export function countGroups(lines: readonly KnownLine[]): string | undefined {
  const counts = new Map<string, number>()
  let folder: string | undefined
  for (const { text, line, lastLine } of lines) {
    const heading = /^(\S.*):$/.exec(text)
    if (heading) folder = heading[1]
    else if (text !== '' && !/^total \d/.test(text)) {
      const group = groupOf(text, folder)
      counts.set(group, (counts.get(group) ?? 0) + lastLine - line + 1)
    }
  }
  // If most names have no extension, grouping by extension shows nothing.
  if (counts.size < 2 || (counts.get(NO_ENDING) ?? 0) * 2 > lines.length) return undefined
  const sorted = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const named = sorted.slice(0, NAMED_GROUPS).map(([group, count]) => `${group} ${sayNumber(count)}`)
  const others = sorted.length - named.length
  return others > 0 ? `${named.join(', ')}, ${sayNumber(others)} others` : named.join(', ')
}

function groupOf(text: string, folder: string | undefined): string {
  const hit = grepHit.exec(text)
  if (hit) return short(hit[1]!)
  if (folder !== undefined) return short(folder)
  const name = longFormat.test(text) ? text.slice(text.lastIndexOf(' ') + 1) : text
  const slash = name.lastIndexOf('/', name.length - 2)
  if (slash > 0) return `${short(upperFolder(name.slice(0, slash)))}/`
  const dot = name.lastIndexOf('.')
  return dot > 0 && name.length - dot < 8 && !/\s/.test(name.slice(dot)) ? `*${name.slice(dot)}` : NO_ENDING
}

/** At most three folders deep: deeper there would be too many groups. */
function upperFolder(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('/') || path.startsWith('.') ? 4 : 3)
    .join('/')
}

function short(name: string): string {
  return name.length <= GROUP_CHARS
    ? name
    : `…${name.slice(name.length - GROUP_CHARS).replace(/^[\udc00-\udfff]/, '')}`
}
