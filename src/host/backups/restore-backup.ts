import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { callOfDocument } from '../../crib/records/call-documents.js'
import { readDeletedRecord } from '../../crib/records/deleted-records.js'
import { recoverCalls } from '../../crib/recovery/recover-calls.js'
import { makeFolder } from '../../platform/files/make-folder.js'
import { isExpired, PAYLOAD_KIND, type PayloadRecord } from '../../results/payloads/payload-record.js'
import type { BlobStore } from '../../storage/blobs/blob-store.js'
import { readBlobFile } from '../../storage/blobs/files/read-blob-file.js'
import { parseDigest } from '../../storage/blobs/parse-digest.js'
import { livenessOfWriter, markWriter } from '../../storage/blobs/spool/writer-mark.js'
import { prepareSnapshot, type SnapshotContents } from '../../storage/sqlite/snapshot.js'
import { sqliteStore } from '../../storage/sqlite/sqlite-store.js'
import type { Store } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import { backupError } from './backup-error.js'
import { digestFile } from './digest-file.js'
import { LEFT_OUT_KINDS } from './left-out-kinds.js'
import { SNAPSHOT_FILE, type BackupBlob, type BackupManifest, type ParsedManifest } from './manifest.js'
import { blobPathIn, orDamaged, readBackup } from './read-backup.js'
import type { RecordPlace } from './record-place.js'
import { restoreRecords, type RestoredRecords } from './restore-records.js'
import { TOKEN_KINDS, validTokens } from './restored-tokens.js'

export interface RestoredBackup extends RestoredRecords {
  readonly manifest: BackupManifest
  /** The store had nothing before: it has exactly what the backup has, at the same positions. */
  readonly isExact: boolean
  readonly blobs: number
  /** Calls that were open in the backup and are ended now, since no process runs them. */
  readonly endedCalls: number
  /** The names of the tokens that were not valid before and are now. */
  readonly tokens: readonly string[]
}

export interface RestoreOptions {
  /** Named tokens of the backup are not restored. */
  readonly withoutTokens?: boolean | undefined
}

/**
 * Adds what a backup has to a store, and overwrites nothing. All files are compared with the manifest first. May be
 * repeated after an interruption, and other processes may use the store meanwhile.
 */
export async function restoreBackup(
  { store, openBlobs }: RecordPlace,
  given: string,
  { withoutTokens = false }: RestoreOptions = {},
): Promise<RestoredBackup> {
  const withoutKinds = withoutTokens ? [...LEFT_OUT_KINDS, ...TOKEN_KINDS] : LEFT_OUT_KINDS
  const folder = resolve(given)
  const parsed = await readBackup(folder)
  const copies = makeCopyFolder(store.files()[0]!)
  try {
    const path = await copySnapshot(folder, parsed, copies)
    const { snapshot, contents } = await openSnapshot(path, { folder, withoutKinds })
    try {
      await store.open()
      const needed = await neededBlobs(store, snapshot, { contents, blobs: parsed.blobs })
      // Before the records: what they refer to is there.
      const blobs = needed.length === 0 ? 0 : await restoreBlobs(openBlobs, folder, needed)
      const valid = await validTokens(store)
      const isExact = await store.adopt!(path)
      const restored = isExact
        ? { calls: contents.calls, knownCalls: 0, deletedCalls: 0, documents: contents.documents }
        : await restoreRecords(store, snapshot, contents)
      await store.sync()
      const endedCalls = await recoverCalls(store, () => store.now())
      const tokens = [...(await validTokens(store))].flatMap(([id, name]) => (valid.has(id) ? [] : [name]))
      return { ...restored, manifest: parsed.manifest, isExact, blobs, endedCalls, tokens }
    } finally {
      await snapshot.close()
    }
  } finally {
    rmSync(copies, { recursive: true, force: true })
  }
}

const COPIES = '.restore-'

/** A folder for copies beside the store. Those of restores that were killed are removed. */
function makeCopyFolder(storeFile: string): string {
  const folder = dirname(storeFile)
  const prefix = `.${basename(storeFile)}${COPIES}`
  makeFolder(folder)
  for (const name of readdirSync(folder))
    if (name.startsWith(prefix) && livenessOfWriter(name.slice(prefix.length)) === 'dead')
      rmSync(join(folder, name), { recursive: true, force: true })
  const copies = join(folder, `${prefix}${markWriter()}`)
  makeFolder(copies, { mode: 0o700 })
  return copies
}

/** What was compared with the manifest is what is read: the copy is compared again. */
async function copySnapshot(folder: string, { snapshot }: ParsedManifest, copies: string): Promise<string> {
  const from = join(folder, SNAPSHOT_FILE)
  const path = join(copies, SNAPSHOT_FILE)
  const { sha256 } = await orDamaged(from, () => digestFile(from, { to: path }))
  if (sha256 !== snapshot.sha256)
    throw backupError(`${from} was changed while it was read; nothing was restored.`)
  return path
}

/** The copy, in the version of this program, without documents of the given kinds. */
async function openSnapshot(
  path: string,
  { folder, withoutKinds }: { folder: string; withoutKinds: readonly string[] },
): Promise<{ snapshot: Store; contents: SnapshotContents }> {
  const snapshot = sqliteStore({ path })
  try {
    await snapshot.open()
    return { snapshot, contents: prepareSnapshot(path, { withoutKinds }) }
  } catch (error) {
    await snapshot.close().catch(() => {})
    const file = join(folder, SNAPSHOT_FILE)
    throw backupError(`${file} is not a store of Toolcrib, or is damaged; nothing was restored.`, error)
  }
}

/** The blobs that records of the backup refer to, except records of calls that were deleted here since. */
async function neededBlobs(
  store: Store,
  snapshot: Store,
  { contents, blobs }: { contents: SnapshotContents; blobs: readonly BackupBlob[] },
): Promise<BackupBlob[]> {
  const known = new Map(blobs.map((blob) => [JSON.stringify([blob.tenant, blob.digest]), blob]))
  const needed = new Set<BackupBlob>()
  for (const { tenant, kind } of contents.kinds) {
    if (kind !== PAYLOAD_KIND) continue
    for await (const document of walkDocuments(snapshot, { tenant, kind })) {
      const record = document.value as PayloadRecord
      const invocationId = callOfDocument(document)
      if (isExpired(record, store.now())) continue
      if (invocationId !== undefined && (await readDeletedRecord(store, tenant, invocationId))) continue
      for (const digest of [record.digest, record.index_digest]) {
        const blob = known.get(JSON.stringify([tenant, digest]))
        if (blob) needed.add(blob)
      }
    }
  }
  return [...needed]
}

/** Blobs without a record are removed after an hour; until then the records of these are written. */
const STILL_FRESH_MS = 30 * 60 * 1000

/** Returns how many were not there. Others are written again where they are old: a sweep must not remove them now. */
async function restoreBlobs(
  openBlobs: () => Promise<BlobStore | undefined>,
  folder: string,
  needed: readonly BackupBlob[],
): Promise<number> {
  const blobs = await openBlobs()
  if (!blobs) return 0
  let added = 0
  try {
    for (const blob of needed) {
      const { tenant, digest } = blob
      const found = await blobs.stat(tenant, digest)
      if (found && found.storedAt > Date.now() - STILL_FRESH_MS) continue
      const path = await blobPathIn(folder, blob)
      const writer = await blobs.create(tenant)
      try {
        for await (const chunk of readBlobFile(path, parseDigest(digest), { verify: true }))
          await writer.write(chunk)
        await writer.commit()
      } catch (error) {
        await writer.abort()
        throw error
      }
      if (!found) added++
    }
  } finally {
    await blobs.close()
  }
  return added
}
