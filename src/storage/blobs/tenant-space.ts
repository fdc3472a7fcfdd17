import { createHash } from 'node:crypto'
import { blobError } from './blob-error.js'

/** Where a tenant's blobs are: one segment of a path or of a key. */
export interface TenantSpace {
  folder: string
  /** The folder does not contain the name, so it must be stored beside the blobs. */
  record: string | undefined
}

// Lower case only: some file systems treat "Acme" and "acme" as the same.
const PLAIN = /^[a-z0-9][a-z0-9_-]{0,62}$/

/** Plain names are readable in the path; all others are hashed, so that no name escapes and no two share a folder. */
export function tenantSpace(tenant: string): TenantSpace {
  checkTenant(tenant)
  if (PLAIN.test(tenant)) return { folder: `t-${tenant}`, record: undefined }
  // As JSON: half a surrogate pair has no bytes of its own in UTF-8, and two of them must not collide.
  const record = JSON.stringify(tenant)
  return { folder: `h-${createHash('sha256').update(record).digest('hex')}`, record }
}

/** Untyped callers may pass anything; as part of a path all of it would look like a name. */
export function checkTenant(tenant: unknown): void {
  if (typeof tenant !== 'string')
    throw blobError('toolcrib.blob_invalid', `A tenant of a blob store is a text, not ${typeof tenant}.`)
}

/** The tenant of a folder that was found; undefined for a folder that belongs to no tenant. */
export function tenantOfFolder(folder: string, record: string | undefined): string | undefined {
  if (folder.startsWith('t-')) return PLAIN.test(folder.slice(2)) ? folder.slice(2) : undefined
  if (record === undefined) return undefined
  const tenant = parseText(record)
  return tenant !== undefined && tenantSpace(tenant).folder === folder ? tenant : undefined
}

function parseText(record: string): string | undefined {
  try {
    const value: unknown = JSON.parse(record)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
