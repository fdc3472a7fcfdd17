import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { isoTime } from '../../contract/iso-time.js'
import { makeFolder } from '../../platform/files/make-folder.js'
import { ownVersion } from '../../platform/files/own-package.js'
import { replaceFile } from '../../platform/files/replace-file.js'
import { isExpired, PAYLOAD_KIND, type PayloadRecord } from '../../results/payloads/payload-record.js'
import { isMissingBlob } from '../../storage/blobs/blob-error.js'
import type { BlobStore } from '../../storage/blobs/blob-store.js'
import { fileBlobs } from '../../storage/blobs/files/file-blobs.js'
import { STORE_VERSION } from '../../storage/sqlite/migrations.js'
import { snapshotContents, snapshotDocuments } from '../../storage/sqlite/snapshot.js'
import { backupError } from './backup-error.js'
import type { RecordPlace } from './record-place.js'
import { digestFile } from './digest-file.js'
import { LEFT_OUT_KINDS } from './left-out-kinds.js'
import {
  BLOBS_FOLDER,
  MANIFEST_FILE,
  SNAPSHOT_FILE,
  toBlobFile,
  toManifest,
  type BackedUpBlobs,
  type BackupBlob,
  type BackupManifest,
} from './manifest.js'

/**
 * Writes a copy of all records to a folder, while other processes go on writing. Blobs are copied before and after the
 * snapshot: those that records refer to may be removed after it, and new ones appear before it.
 */
export async function createBackup(place: RecordPlace, given: string): Promise<BackupManifest> {
  const folder = resolve(given)
  takeFolder(folder, place)
  try {
    return await fillFolder(place, folder)
  } catch (error) {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true })
    throw error
  }
}

/** Only an empty folder: nothing is overwritten, and no old file is taken for a part of the backup. */
function takeFolder(folder: string, { blobs }: RecordPlace): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw backupError(`${folder} is not empty; name a new folder for the backup.`)
  const inBlobs = blobs.kind === 'files' ? relative(blobs.path, folder) : '..'
  if (!inBlobs.startsWith('..') && !isAbsolute(inBlobs))
    throw backupError(`${folder} is in the folder of the blobs; name another folder for the backup.`)
  makeFolder(folder, { mode: 0o700 })
  chmodSync(folder, 0o700)
}

async function fillFolder({ store, blobs }: RecordPlace, folder: string): Promise<BackupManifest> {
  const copied = new Map<string, BackupBlob>()
  const from = blobs.kind === 'files' && existsSync(blobs.path) ? fileBlobs({ path: blobs.path }) : undefined
  const to = fileBlobs({ path: join(folder, BLOBS_FOLDER) })
  const snapshot = join(folder, SNAPSHOT_FILE)
  try {
    await from?.open()
    if (from) await to.open()
    if (from) await copyBlobs(from, to, copied)
    await store.sync()
    await store.snapshot!(snapshot, { withoutKinds: LEFT_OUT_KINDS })
    if (from) await copyBlobs(from, to, copied)
  } finally {
    await from?.close()
    await to.close()
  }
  for (const name of ['incoming', 'leaving'])
    rmSync(join(folder, BLOBS_FOLDER, name), { recursive: true, force: true })
  const contents = snapshotContents(snapshot)
  const { sha256, sizeBytes } = await digestFile(snapshot)
  const list = [...copied.values()]
  const manifest = toManifest({
    created_at: isoTime(store.now()),
    toolcrib_version: ownVersion(),
    store: {
      version: STORE_VERSION,
      calls: contents.calls,
      open_calls: contents.openCalls,
      documents: contents.documents,
    },
    blobs: {
      ...placeOfBlobs(blobs),
      count: list.length,
      bytes: list.reduce((sum, each) => sum + each.sizeBytes, 0),
      missing: blobs.kind === 's3' ? 0 : countMissing(snapshot, copied, store.now()),
    },
    files: [{ path: SNAPSHOT_FILE, sha256, size_bytes: sizeBytes }, ...list.map(toBlobFile)],
  })
  replaceFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

function placeOfBlobs(blobs: RecordPlace['blobs']): Pick<BackedUpBlobs, 'kind' | 'location'> {
  switch (blobs.kind) {
    case 'files':
      return { kind: 'files' }
    case 's3':
      return { kind: 's3', location: blobs.location }
    case 'memory':
      return { kind: 'none' }
  }
}

const keyOf = (tenant: string, digest: string): string => JSON.stringify([tenant, digest])

/** Copies those that are not copied yet. Each is compared with its digest; one that is removed meanwhile is left out. */
async function copyBlobs(from: BlobStore, to: BlobStore, copied: Map<string, BackupBlob>): Promise<void> {
  for await (const { tenant, digest, sizeBytes } of from.list()) {
    const key = keyOf(tenant, digest)
    if (copied.has(key)) continue
    const writer = await to.create(tenant)
    try {
      for await (const chunk of from.read(tenant, digest, { verify: true })) await writer.write(chunk)
      await writer.commit()
      copied.set(key, { tenant, digest, sizeBytes })
    } catch (error) {
      await writer.abort()
      if (!isMissingBlob(error)) throw error
    }
  }
}

/** How many blobs the records of the snapshot refer to that were not copied: their retention ended in these moments. */
function countMissing(path: string, copied: ReadonlyMap<string, BackupBlob>, now: number): number {
  const missing = new Set<string>()
  for (const { tenant, value } of snapshotDocuments(path, PAYLOAD_KIND)) {
    const record = value as PayloadRecord
    const key = keyOf(tenant, record.digest)
    if (!isExpired(record, now) && !copied.has(key)) missing.add(key)
  }
  return missing.size
}
