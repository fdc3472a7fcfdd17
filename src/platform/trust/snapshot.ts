import { createHash } from 'node:crypto'
import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  type BigIntStats,
  type Dirent,
} from 'node:fs'

/** What a path was when it was read, by the path without links. */
export type Snapshot = ReadonlyMap<string, Stamp>

/**
 * Each sort of stamp covers only what was read, so that a change of anything else does not count: the kind of a path
 * (`is`), where a link leads (`link`), how a file starts (`head`), all of a file or of the names in a folder by its
 * inode (`stat`), and the same by their content (`content`, `names`).
 */
export type Stamp = `${StampSort} ${string}`
type StampSort = 'is' | 'link' | 'head' | 'stat' | 'content' | 'names'

export type PathKind = 'file' | 'folder' | 'link' | 'other' | 'absent'

/** The clock of a file system may tick this slowly: two changes within one tick have the same time. */
const SLOWEST_TICK_MS = 2000n
/** The hash of a file that is missing or unreadable; no file can have it. */
export const UNREADABLE = 'unreadable'

/**
 * The snapshot, while nothing in it has changed. A path that was stamped by its content, because it had just been
 * written, gets a cheaper stamp as soon as that is as reliable.
 */
export function verifySnapshot(snapshot: Snapshot): Snapshot | undefined {
  const startedMs = Date.now()
  const settled: [string, Stamp][] = []
  for (const [path, stamp] of snapshot) {
    const stat = lookAt(path)
    if (stampNow(path, stat, stamp) !== stamp) return undefined
    if (stat && /^(?:content|names) /.test(stamp) && !isRacy(stat, startedMs))
      settled.push([path, statStamp(stat)])
  }
  return settled.length === 0 ? snapshot : new Map([...snapshot, ...settled])
}

/** Of the same sort as another. */
function stampNow(path: string, stat: BigIntStats | undefined, like: Stamp): Stamp | undefined {
  switch (like.slice(0, like.indexOf(' '))) {
    case 'is':
      return kindStamp(kindIn(stat))
    case 'link':
      return stat?.isSymbolicLink() ? linkStamp(targetOf(path)) : kindStamp(kindIn(stat))
    case 'head':
      return stat?.isFile() ? headStamp(stat, headOf(path)) : kindStamp(kindIn(stat))
    case 'stat':
      return stat ? statStamp(stat) : kindStamp('absent')
    case 'content':
      return stat?.isFile() ? contentStamp(stat, hashOfFile(path)) : kindStamp(kindIn(stat))
    case 'names':
      return stat?.isDirectory() ? namesStamp(entriesOf(path)) : kindStamp(kindIn(stat))
    default:
      return undefined
  }
}

export const kindStamp = (kind: PathKind): Stamp => `is ${kind}`

export const linkStamp = (target: string | undefined): Stamp => `link ${target ?? ''}`

export const statStamp = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Stamp =>
  `stat ${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`

export const headStamp = ({ mode }: BigIntStats, head: string): Stamp =>
  `head ${mode} ${Buffer.from(head).toString('hex')}`

export const contentStamp = ({ mode }: BigIntStats, hash: string): Stamp => `content ${mode} ${hash}`

export function namesStamp(entries: readonly Dirent[]): Stamp {
  const names = entries.map((entry) => `${entry.name}\0${kindIn(entry)}`)
  return `names ${hashOf(names.toSorted().join('\0'))}`
}

/** Whether a later content could have the same times, because they are of the moment when it was read. */
export function isRacy({ mtimeMs, ctimeMs }: BigIntStats, readMs: number): boolean {
  return (ctimeMs > mtimeMs ? ctimeMs : mtimeMs) >= BigInt(readMs) - SLOWEST_TICK_MS
}

export function kindIn(entry: BigIntStats | Dirent | undefined): PathKind {
  if (!entry) return 'absent'
  if (entry.isSymbolicLink()) return 'link'
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other'
}

export function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false, bigint: true })
  } catch {
    return undefined
  }
}

export function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link)
  } catch {
    return undefined
  }
}

export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** The first two letters of a file: `#!` starts a script. */
export function headOf(path: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(2)
      return bytes.toString('latin1', 0, readSync(file, bytes, 0, 2, 0))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

export function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

export function hashOf(content: string | Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}

/** The hash that a file has now. */
export function hashOfFile(path: string): string {
  const bytes = bytesOf(path)
  return bytes ? hashOf(bytes) : UNREADABLE
}
