import { randomBytes } from 'node:crypto'
import { cpSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { makeFolder } from '../../../../platform/files/make-folder.js'
import { replaceFile } from '../../../../platform/files/replace-file.js'
import { syncFolder } from '../../../../platform/files/sync-folder.js'

/** A deleted file or folder. */
export interface TrashedItem {
  readonly id: string
  /** Where it was, with links followed. */
  readonly path: string
  readonly deletedAt: string
}

/** Deleted files of a user, in a folder that no tool reads. */
export interface Trash {
  readonly folder: string
  /** Moves an entry into the trash. `source` is the path for the system, `path` the one that is remembered. */
  put(source: string, path: string, now: Date): TrashedItem
  /** The items that were at this path, the newest first. */
  find(path: string): TrashedItem[]
  /** Moves an item out of the trash, to a path at which there is nothing. */
  take(item: TrashedItem, target: string): void
}

export function createTrash(folder: string): Trash {
  const contentOf = (id: string, path: string): string => join(folder, id, 'content', basename(path))
  return {
    folder,
    put(source, path, now) {
      const id = `${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`
      const item: TrashedItem = { id, path, deletedAt: now.toISOString() }
      makeFolder(join(folder, id, 'content'), { mode: 0o700 })
      // The note first: an item without a note could not be restored.
      replaceFile(join(folder, id, 'item.json'), `${JSON.stringify(item)}\n`)
      try {
        moveAcross(source, contentOf(id, path))
      } catch (error) {
        rmSync(join(folder, id), { recursive: true, force: true })
        throw error
      }
      syncFolder(join(folder, id, 'content'))
      return item
    },
    find(path) {
      return idsIn(folder)
        .flatMap((id) => readItem(join(folder, id, 'item.json')) ?? [])
        .filter(
          (item) => item.path === path && lstatSync(contentOf(item.id, path), { throwIfNoEntry: false }),
        )
        .toSorted((a, b) => (a.deletedAt < b.deletedAt ? 1 : -1))
    },
    take({ id, path }, target) {
      moveAcross(contentOf(id, path), target)
      rmSync(join(folder, id), { recursive: true, force: true })
    },
  }
}

/** A move within a file system is one step; between two it is a copy, and the source goes last. */
function moveAcross(source: string, target: string): void {
  try {
    renameSync(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    cpSync(source, target, {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
      errorOnExist: true,
      force: false,
    })
    rmSync(source, { recursive: true })
  }
}

function idsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readItem(path: string): TrashedItem | undefined {
  try {
    const item = JSON.parse(readFileSync(path, 'utf8')) as Partial<TrashedItem>
    const isWhole =
      typeof item.id === 'string' && typeof item.path === 'string' && typeof item.deletedAt === 'string'
    return isWhole ? (item as TrashedItem) : undefined
  } catch {
    return undefined
  }
}
