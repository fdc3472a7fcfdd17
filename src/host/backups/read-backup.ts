import { closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorMessage } from '../../platform/text/error-message.js'
import { hasBlobFolders, pathsOf } from '../../storage/blobs/files/blob-tree.js'
import { parseDigest } from '../../storage/blobs/parse-digest.js'
import { APPLICATION_ID, STORE_VERSION } from '../../storage/sqlite/migrations.js'
import { backupError } from './backup-error.js'
import { digestFile } from './digest-file.js'
import {
  BLOBS_FOLDER,
  MANIFEST_FILE,
  parseManifest,
  SNAPSHOT_FILE,
  type BackupBlob,
  type BackupFile,
  type ParsedManifest,
} from './manifest.js'

/** A manifest of a million blobs is smaller. */
const MAX_MANIFEST_BYTES = 512 * 1024 * 1024

/** Reads the manifest and compares every file with it. Nothing is written anywhere. */
export async function readBackup(folder: string): Promise<ParsedManifest> {
  const parsed = parseManifest(await readManifest(folder), folder)
  const { snapshot, blobs } = parsed
  await compare(folder, snapshot)
  checkHeader(join(folder, SNAPSHOT_FILE))
  for (const blob of blobs) {
    const path = await blobPathIn(folder, blob)
    const { sha256, sizeBytes } = await orDamaged(path, () => digestFile(path))
    if (sha256 !== parseDigest(blob.digest) || sizeBytes !== blob.sizeBytes) throw damaged(path)
  }
  return parsed
}

async function readManifest(folder: string): Promise<string> {
  const path = join(folder, MANIFEST_FILE)
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw backupError(`There is no folder ${folder}; name the folder of a backup.`)
  const found = await lstat(path).catch(() => undefined)
  if (!found)
    throw backupError(
      `${folder} is not a complete backup: it has no ${MANIFEST_FILE}, which is written last. Make another one, or name another folder.`,
    )
  if (!found.isFile() || found.size > MAX_MANIFEST_BYTES)
    throw backupError(`${path} is not the manifest of a backup of Toolcrib; nothing was restored.`)
  return readFile(path, 'utf8')
}

async function compare(folder: string, { path, sha256, size_bytes: size }: BackupFile): Promise<void> {
  const found = await orDamaged(join(folder, path), () => digestFile(join(folder, path)))
  if (found.sha256 !== sha256 || found.sizeBytes !== size) throw damaged(join(folder, path))
}

/** The path of a blob in the backup. Fails where a folder above it is a link. */
export async function blobPathIn(folder: string, { tenant, digest }: BackupBlob): Promise<string> {
  const root = join(folder, BLOBS_FOLDER)
  const place = pathsOf(root, tenant, parseDigest(digest))
  const isThere = await orDamaged(place.path, async () => {
    const top = await lstat(dirname(place.tenantFolder))
    return top.isDirectory() && (await hasBlobFolders(place))
  })
  if (!isThere) throw damaged(place.path)
  return place.path
}

export async function orDamaged<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw damaged(path, error)
  }
}

function damaged(path: string, cause?: unknown): Error {
  const why =
    cause === undefined ? 'other bytes than its manifest says' : errorMessage(cause).replace(/\.$/, '')
  return backupError(`The backup is damaged, and nothing was restored: ${path} (${why}).`, cause)
}

const HEADER_BYTES = 100
const VERSION_AT = 60
const APPLICATION_AT = 68

/** What the file says about itself, before SQLite opens a copy of it. */
function checkHeader(path: string): void {
  const header = Buffer.alloc(HEADER_BYTES)
  const file = openSync(path, constants.O_RDONLY)
  try {
    readSync(file, header, 0, HEADER_BYTES, 0)
  } finally {
    closeSync(file)
  }
  const isOurs =
    header.toString('latin1', 0, 16) === 'SQLite format 3\0' &&
    header.readUInt32BE(APPLICATION_AT) === APPLICATION_ID
  if (!isOurs) throw backupError(`${path} is not a store of Toolcrib; nothing was restored.`)
  if (header.readUInt32BE(VERSION_AT) > STORE_VERSION)
    throw backupError(`${path} was written by a newer toolcrib; update toolcrib, then restore it.`)
}
