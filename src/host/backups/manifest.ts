import { join } from 'node:path'
import { isObject } from '../../platform/json/is-object.js'
import { parseDigest, toDigest } from '../../storage/blobs/parse-digest.js'
import { pathsOf } from '../../storage/blobs/files/blob-tree.js'
import { backupError } from './backup-error.js'

/** Written last: a folder without it is no backup. */
export const MANIFEST_FILE = 'manifest.json'
export const SNAPSHOT_FILE = 'crib.db'
export const BLOBS_FOLDER = 'blobs'

const FORMAT = 'toolcrib-backup'
const FORMAT_VERSION = 1

export interface BackupManifest {
  readonly format: typeof FORMAT
  readonly format_version: typeof FORMAT_VERSION
  readonly created_at: string
  readonly toolcrib_version: string
  readonly store: { version: number; calls: number; open_calls: number; documents: number }
  readonly blobs: BackedUpBlobs
  /** Each file that is restored. */
  readonly files: readonly BackupFile[]
}

export interface BackedUpBlobs {
  /** `files`: in this folder. `s3`: they stay in their bucket. `none`: there were none that outlive a process. */
  readonly kind: 'files' | 's3' | 'none'
  /** Of `s3`: the bucket. */
  readonly location?: string | undefined
  readonly count: number
  readonly bytes: number
  /** Blobs that records refer to and that were not there any more. */
  readonly missing: number
}

export interface BackupFile {
  /** Relative, with slashes. */
  readonly path: string
  readonly sha256: string
  readonly size_bytes: number
  /** Of a blob: whose it is. */
  readonly tenant?: string | undefined
}

export interface BackupBlob {
  readonly tenant: string
  readonly digest: string
  readonly sizeBytes: number
}

export function toManifest(contents: Omit<BackupManifest, 'format' | 'format_version'>): BackupManifest {
  return { format: FORMAT, format_version: FORMAT_VERSION, ...contents }
}

export function toBlobFile({ tenant, digest, sizeBytes }: BackupBlob): BackupFile {
  const sha256 = parseDigest(digest)
  return { path: blobPath(tenant, sha256), sha256, size_bytes: sizeBytes, tenant }
}

/** The one path that a blob can have in a backup: what a manifest says about paths is compared with it, never used. */
function blobPath(tenant: string, sha256: string): string {
  return pathsOf(BLOBS_FOLDER, tenant, sha256).path.replaceAll('\\', '/')
}

export interface ParsedManifest {
  readonly manifest: BackupManifest
  readonly snapshot: BackupFile
  readonly blobs: readonly BackupBlob[]
}

/** The manifest comes from a folder that anybody may have changed. */
export function parseManifest(text: string, folder: string): ParsedManifest {
  const path = join(folder, MANIFEST_FILE)
  const refuse = (what: string): Error => backupError(`${path} ${what}; nothing was restored.`)
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    throw backupError(`${path} is damaged; nothing was restored.`, error)
  }
  if (!isObject(given) || given['format'] !== FORMAT)
    throw refuse('is not the manifest of a backup of Toolcrib')
  if (given['format_version'] !== FORMAT_VERSION)
    throw refuse('was written by another version of toolcrib, which must restore it')
  const { files, store, blobs, created_at: createdAt } = given
  if (!Array.isArray(files) || !isObject(store) || !isObject(blobs) || typeof createdAt !== 'string')
    throw refuse('is damaged')
  if (!['files', 's3', 'none'].includes(String(blobs['kind']))) throw refuse('is damaged')
  const found: BackupBlob[] = []
  let snapshot: BackupFile | undefined
  for (const file of files as unknown[]) {
    if (!isFile(file)) throw refuse('is damaged')
    if (file.path === SNAPSHOT_FILE && file.tenant === undefined && !snapshot) snapshot = file
    else if (file.tenant !== undefined && file.path === blobPath(file.tenant, file.sha256))
      found.push({ tenant: file.tenant, digest: toDigest(file.sha256), sizeBytes: file.size_bytes })
    else throw refuse(`names ${JSON.stringify(file.path.slice(0, 200))}, which is no file of a backup`)
  }
  if (!snapshot) throw refuse('is damaged')
  return { manifest: given as unknown as BackupManifest, snapshot, blobs: found }
}

function isFile(given: unknown): given is BackupFile {
  if (!isObject(given)) return false
  const { path, sha256, size_bytes: size, tenant } = given
  return (
    typeof path === 'string' &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    Number.isSafeInteger(size) &&
    (size as number) >= 0 &&
    (tenant === undefined || typeof tenant === 'string')
  )
}
