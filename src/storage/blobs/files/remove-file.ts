import { link, readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStat } from '../blob-store.js'
import { livenessOfWriter, markWriter } from '../spool/writer-mark.js'
import { statBlob } from './blob-tree.js'
import { syncFolders } from './folders.js'

export interface RemovalPaths {
  /** Of the blob store. */
  root: string
  tenantFolder: string
  shardFolder: string
  path: string
  hex: string
}

/** Where a blob is between the removal of its name and its deletion. */
export const LEAVING = 'leaving'
const NAME = /^((?:t|h)-[a-z0-9_-]+)~([0-9a-f]{64})~(.+)$/

/**
 * Removes a blob that was stored before this time, and nothing that another process stores at this moment: it loses its
 * name first, is checked where it cannot be stored again, and gets the name back if it was.
 */
export async function removeFile(place: RemovalPaths, ifStoredBefore: number): Promise<BlobStat | undefined> {
  const { root, tenantFolder, path, hex } = place
  const known = await statBlob(path, hex)
  if (!known || known.storedAt >= ifStoredBefore) return undefined
  const folder = tenantFolder.slice(root.length + 1)
  const leaving = join(root, LEAVING, `${folder}~${hex}~${markWriter()}`)
  if (!(await orMissing(() => rename(path, leaving)))) return undefined
  const taken = await statBlob(leaving, hex)
  if (taken && taken.storedAt >= ifStoredBefore) {
    await giveBack(leaving, place)
    return undefined
  }
  await orMissing(() => unlink(leaving))
  return known
}

/** If a process died meanwhile, it is unknown whether the blob was stored again: it stays for the next sweep. */
export async function giveBackLeft(root: string): Promise<void> {
  for (const name of await readdir(join(root, LEAVING))) {
    const [, folder, hex, mark] = NAME.exec(name) ?? []
    if (folder === undefined || hex === undefined || livenessOfWriter(mark!) === 'alive') continue
    const shardFolder = join(root, folder, hex.slice(0, 2))
    await giveBack(join(root, LEAVING, name), { shardFolder, path: join(shardFolder, hex) })
  }
}

async function giveBack(
  leaving: string,
  { shardFolder, path }: Pick<RemovalPaths, 'shardFolder' | 'path'>,
): Promise<void> {
  try {
    await link(leaving, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    // Without hard links it is moved back, though this may make a newer blob look as old.
    if (code !== 'EEXIST') return void (await orMissing(() => rename(leaving, path)))
  }
  await syncFolders(shardFolder)
  await orMissing(() => unlink(leaving))
}

/** Whether it existed: another process may remove it at the same moment. */
async function orMissing(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
