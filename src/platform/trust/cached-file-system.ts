import type { BigIntStats, Dirent } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { isObject } from '../json/is-object.js'
import {
  bytesOf,
  contentStamp,
  entriesOf,
  hashOf,
  headOf,
  headStamp,
  isRacy,
  kindIn,
  kindStamp,
  linkStamp,
  lookAt,
  namesStamp,
  statStamp,
  targetOf,
  UNREADABLE,
  type PathKind,
  type Snapshot,
  type Stamp,
} from './snapshot.js'

/**
 * The file system as one reading sees it. Each path is read once, and everything that an answer depended on is in the
 * snapshot: while that stays unchanged, the same reading would give the same result.
 */
export interface CachedFileSystem {
  /** Links are followed. */
  kindOf(path: string): 'file' | 'folder' | undefined
  /** The path without links; unchanged where nothing exists. */
  realPath(path: string): string
  readFile(path: string): FileContent | undefined
  /** The value of a package.json, where it holds one. */
  readManifest(path: string): Record<string, unknown> | undefined
  /** Whether a file is executable by its mode or its first line, whatever its name. */
  isExecutable(path: string): boolean
  entriesOf(folder: string): readonly Dirent[]
  snapshot(): Snapshot
}

export interface FileContent {
  readonly bytes: Buffer
  readonly hash: string
}

/** The entry at a path without links. */
interface Node {
  readonly kind: PathKind
  readonly stat: BigIntStats | undefined
  /** Of a link. */
  readonly target?: string | undefined
  /** Its content counts: the hash of a file, the names of a folder. */
  content?: Stamp
  /** How it starts, where that was read. */
  head?: string
  /** How many paths directly below it were read. */
  asked: number
}

interface Resolved {
  readonly real: string
  readonly kind: 'file' | 'folder' | undefined
}

/** From this number of names on, a folder is stamped as a whole: one check instead of many. */
const MANY_NAMES = 256
const INSTALLED = `${sep}node_modules`

export function createCachedFileSystem(): CachedFileSystem {
  const startedMs = Date.now()
  const resolved = new Map<string, Resolved>()
  const nodes = new Map<string, Node>()
  const manifests = new Map<string, { content: FileContent | undefined; value: unknown }>()

  function resolvePath(path: string): Resolved {
    const known = resolved.get(path)
    if (known) return known
    // Set before links are followed: a circle of them leads nowhere.
    resolved.set(path, { real: path, kind: undefined })
    const found = lookUp(path)
    resolved.set(path, found)
    return found
  }

  /** One name after the other, as a system resolves a path: each folder on the way may be a link. */
  function lookUp(path: string): Resolved {
    const above = dirname(path)
    if (above === path) {
      nodeAt(path)
      return { real: path, kind: 'folder' }
    }
    const parent = resolvePath(above)
    if (parent.kind !== 'folder') return { real: path, kind: undefined }
    const name = basename(path)
    if (name === '.') return parent
    if (name === '..') return resolvePath(dirname(parent.real))
    const real = join(parent.real, name)
    if (real !== path) return resolvePath(real)
    const { kind, target } = nodeAt(path)
    if (kind === 'link' && target !== undefined)
      // Not normalized: behind a link, `..` is the folder above its target.
      return resolvePath(isAbsolute(target) ? target : `${parent.real}${sep}${target}`)
    return { real: path, kind: kind === 'file' || kind === 'folder' ? kind : undefined }
  }

  function nodeAt(path: string): Node {
    const stat = lookAt(path)
    const kind = kindIn(stat)
    const parent = nodes.get(dirname(path))
    const node: Node = { kind, stat, asked: 0, ...(kind === 'link' && { target: targetOf(path) }) }
    nodes.set(path, node)
    if (parent) parent.asked += 1
    return node
  }

  function lookUpSafely(path: string): Resolved {
    if (path.includes('\0')) return { real: path, kind: undefined }
    return resolvePath(isAbsolute(path) ? path : resolve(path))
  }

  function readFile(path: string): FileContent | undefined {
    const { real, kind } = lookUpSafely(path)
    if (kind !== 'file') return undefined
    const known = manifests.get(real)
    if (known) return known.content
    const node = nodes.get(real)!
    const bytes = bytesOf(real)
    const hash = bytes ? hashOf(bytes) : UNREADABLE
    node.content ??= fullStamp(node.stat!, (stat) => contentStamp(stat, hash))
    return bytes && { bytes, hash }
  }

  /** By the inode, unless a later change could leave the same. */
  function fullStamp(stat: BigIntStats, byContent: (stat: BigIntStats) => Stamp): Stamp {
    return isRacy(stat, startedMs) ? byContent(stat) : statStamp(stat)
  }

  function readManifest(path: string): Record<string, unknown> | undefined {
    const { real } = lookUpSafely(path)
    let known = manifests.get(real)
    if (!known) {
      const content = readFile(path)
      known = { content, value: content && parsed(content.bytes) }
      manifests.set(real, known)
    }
    return isObject(known.value) ? known.value : undefined
  }

  function isExecutable(path: string): boolean {
    const { real, kind } = lookUpSafely(path)
    const node = nodes.get(real)
    if (kind !== 'file' || !node?.stat) return false
    // Read once: the answer must match the stamp.
    node.head ??= headOf(real)
    return (node.stat.mode & 0o111n) !== 0n || node.head === '#!'
  }

  function readFolder(folder: string): readonly Dirent[] {
    const { real, kind } = lookUpSafely(folder)
    if (kind !== 'folder') return []
    const entries = entriesOf(real)
    const node = nodes.get(real)
    if (node?.stat) node.content ??= fullStamp(node.stat, () => namesStamp(entries))
    return entries
  }

  function snapshot(): Snapshot {
    const stamps = new Map<string, Stamp>()
    for (const [path, node] of nodes) {
      if (node.content !== undefined) stamps.set(path, node.content)
      else if (isWhole(path, node)) stamps.set(path, statStamp(node.stat!))
      else if (node.head !== undefined) stamps.set(path, headStamp(node.stat!, node.head))
      else if (!isCovered(path)) stamps.set(path, ownStamp(node))
    }
    return stamps
  }

  /**
   * Whether the names in a folder are stamped together. Outside installed packages each name is stamped by itself: in a
   * home folder, other names change all the time.
   */
  function isWhole(path: string, { kind, stat, asked }: Node): boolean {
    if (kind !== 'folder' || !stat || asked === 0 || isRacy(stat, startedMs)) return false
    return asked > MANY_NAMES || path.includes(INSTALLED)
  }

  /** As long as no name in a folder changes, a path below it stays a file, a folder, the same link, or absent. */
  function isCovered(path: string): boolean {
    const above = dirname(path)
    const parent = nodes.get(above)
    return parent !== undefined && isWhole(above, parent)
  }

  return {
    kindOf: (path) => lookUpSafely(path).kind,
    realPath: (path) => lookUpSafely(path).real,
    readFile,
    readManifest,
    isExecutable,
    entriesOf: readFolder,
    snapshot,
  }
}

function ownStamp({ kind, target }: Node): Stamp {
  return kind === 'link' ? linkStamp(target) : kindStamp(kind)
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
