import { lstatSync, type Stats } from 'node:fs'
import { dirname, sep } from 'node:path'
import { followLinks } from '../../files/follow-links.js'
import { isMissing } from '../placeholders.js'
import type { SandboxProfile } from '../sandbox.js'

/** One path that the program sees in another way than the read-only root shows it. */
export interface Mount {
  readonly path: string
  /**
   * `anchor`: a folder between a writable folder and a protected path. It is mounted on itself, because a folder that is
   * no mount point can be renamed together with the mounts below it.
   */
  readonly kind: 'writable' | 'anchor' | 'readOnly' | 'hidden'
  readonly isFolder: boolean
  /** It does not exist: a placeholder is needed to mount on. */
  readonly isMissing: boolean
}

/** Folders of the host whose content is replaced: what lies in them is seen only where it is mounted again. */
const REPLACED = ['/run']
const TMP = '/tmp'

/**
 * Everything to mount, parents before children. Where several rules name one path, or a path inside another, the
 * strictest counts.
 */
export function planMounts(profile: SandboxProfile, sockets: readonly string[]): Mount[] {
  const replaced = profile.tmp ? [...REPLACED, TMP] : REPLACED
  const hidden = outermost(realPaths(profile.hidden))
  const readOnly = outermost(realPaths(profile.readOnly)).filter((path) => !isBelowAny(path, hidden))
  const closed = [...hidden, ...readOnly]
  const writable = realPaths(profile.writable).filter((path) => !isBelowAny(path, closed) && look(path))
  const isInWritable = (path: string): boolean => writable.some((folder) => isBelow(path, folder))
  // A path in a replaced folder does not exist for the program, unless it is in a folder that is mounted there.
  const isSeen = (path: string): boolean => isInWritable(path) || !isBelowAny(path, replaced)
  const mounts = new Map<string, Mount>()
  const add: Protecting['add'] = (path, kind, isFolder, isMissing = false) => {
    if (kind !== 'anchor' || !mounts.has(path)) mounts.set(path, { path, kind, isFolder, isMissing })
  }
  for (const path of writable) add(path, 'writable', look(path)!.isDirectory())
  for (const path of [profile.cwd, ...readOnly]) {
    const found = look(followLinks(path))
    if (found && isBelowAny(path, replaced) && !isInWritable(path))
      add(followLinks(path), 'readOnly', found.isDirectory())
  }
  for (const path of readOnly) if (isInWritable(path)) protect(path, 'readOnly', { add, writable })
  for (const path of hidden) {
    const found = look(path)
    // Inside a path that stays read-only, nothing can be created or renamed.
    const isOpen = isInWritable(path) && !isBelowAny(path, readOnly)
    if (isOpen) protect(path, 'hidden', { add, writable })
    else if (found && isSeen(path)) add(path, 'hidden', found.isDirectory())
  }
  for (const path of sockets) if (isSeen(path) && !isBelowAny(path, hidden)) add(path, 'hidden', false)
  return [...mounts.values()].sort((one, other) => depthOf(one.path) - depthOf(other.path))
}

interface Protecting {
  readonly add: (path: string, kind: Mount['kind'], isFolder: boolean, isMissing?: boolean) => void
  readonly writable: readonly string[]
}

/** Protects a path inside a writable folder, and the folders on the way to it against being renamed. */
function protect(path: string, kind: 'readOnly' | 'hidden', { add, writable }: Protecting): void {
  const found = look(path)
  for (const folder of foldersAbove(path)) {
    if (!writable.some((root) => isBelow(folder, root) && folder !== root)) continue
    add(folder, 'anchor', true, isMissing(folder))
  }
  add(path, kind, found ? found.isDirectory() : !looksLikeFile(path), isMissing(path))
}

/** The kind of a path that does not exist: folders of programs have no ending, except the one with the blobs of a store. */
function looksLikeFile(path: string): boolean {
  return /[^/.][^/]*\.[^/.]+$/.test(path) && !path.endsWith('.blobs')
}

function foldersAbove(path: string): string[] {
  const folders: string[] = []
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) folders.push(at)
  return folders
}

function realPaths(paths: readonly string[]): string[] {
  return [...new Set(paths.map(followLinks))]
}

/** The paths that are in none of the others. */
function outermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => other !== path && isBelow(path, other)))
}

function isBelowAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isBelow(path, folder))
}

/** Whether a path is the folder or in it. */
function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function depthOf(path: string): number {
  return path.split(sep).length
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
