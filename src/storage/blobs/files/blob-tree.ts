import { readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStat } from '../blob-store.js'
import { toDigest } from '../parse-digest.js'
import { createTemporaryFile } from '../spool/temporary-file.js'
import { tenantOfFolder, tenantSpace } from '../tenant-space.js'
import { ensureFolder, hasFolder, statOf } from './folders.js'

const TENANT_RECORD = 'tenant.json'
const SHARD = /^[0-9a-f]{2}$/
const NAME = /^[0-9a-f]{64}$/

export interface BlobPaths {
  tenantFolder: string
  shardFolder: string
  path: string
}

/** `<root>/<tenant>/<2 digits>/<64 digits>` */
export function pathsOf(root: string, tenant: string, hex: string): BlobPaths {
  const tenantFolder = join(root, tenantSpace(tenant).folder)
  const shardFolder = join(tenantFolder, hex.slice(0, 2))
  return { tenantFolder, shardFolder, path: join(shardFolder, hex) }
}

/** Makes the folders of a blob. A tenant's name is on the disk before its first blob is. */
export async function makeBlobFolders(
  { tenantFolder, shardFolder }: BlobPaths,
  { tenant, incoming }: { tenant: string; incoming: string },
): Promise<void> {
  await ensureFolder(tenantFolder)
  const { record } = tenantSpace(tenant)
  const recordPath = join(tenantFolder, TENANT_RECORD)
  if (record !== undefined && !(await statOf(recordPath))?.isFile()) {
    const file = await createTemporaryFile(incoming)
    await file.write(Buffer.from(record))
    const { path } = await file.finish()
    await rename(path, recordPath)
  }
  await ensureFolder(shardFolder)
}

/** Whether the folders of a blob exist; fails where one of them is a link. */
export async function hasBlobFolders({ tenantFolder, shardFolder }: BlobPaths): Promise<boolean> {
  return (await hasFolder(tenantFolder)) && (await hasFolder(shardFolder))
}

export async function statBlob(path: string, hex: string): Promise<BlobStat | undefined> {
  const found = await statOf(path)
  if (!found?.isFile()) return undefined
  return { digest: toDigest(hex), sizeBytes: Number(found.size), storedAt: Math.round(Number(found.mtimeMs)) }
}

/** The tenants that have a folder, whether there is a blob in it or not. */
export async function* tenantsOf(root: string): AsyncGenerator<string> {
  for (const folder of (await readdir(root)).toSorted()) {
    const record = folder.startsWith('h-') ? await readRecord(join(root, folder, TENANT_RECORD)) : undefined
    const tenant = tenantOfFolder(folder, record)
    if (tenant !== undefined) yield tenant
  }
}

async function readRecord(path: string): Promise<string | undefined> {
  return (await statOf(path))?.isFile() ? readFile(path, 'utf8') : undefined
}

/** The first two digits of a tenant's blobs, in order. */
export async function shardsOf(root: string, tenant: string): Promise<string[]> {
  const folder = join(root, tenantSpace(tenant).folder)
  if (!(await hasFolder(folder))) return []
  return (await readdir(folder)).filter((name) => SHARD.test(name)).toSorted()
}

export async function* blobsOf(root: string, tenant: string, shard: string): AsyncGenerator<BlobStat> {
  const folder = join(root, tenantSpace(tenant).folder, shard)
  if (!(await hasFolder(folder))) return
  for (const name of await readdir(folder)) {
    const stat = NAME.test(name) ? await statBlob(join(folder, name), name) : undefined
    if (stat) yield stat
  }
}
