import { createHash } from 'node:crypto'
import { blobError } from './blob-error.js'

/** Where a tenant's blobs are: one part of a path or of a key. */
export interface TenantSpace {
  folder: string
  /** The folder says nothing of the name, so that this must be kept beside the blobs. */
  record: string | undefined
}

// Lower case only: some file systems take "Acme" and "acme" for the same.
const PLAIN = /^[a-z0-9][a-z0-9_-]{0,62}$/

/** Plain names can be read in the path; all others are hashed, which no name escapes and no two share. */
export function tenantSpace(tenant: string): TenantSpace {
  checkTenant(tenant)
  if (PLAIN.test(tenant)) return { folder: `t-${tenant}`, record: undefined }
  // As JSON: half a surrogate pair has no bytes of its own in UTF-8, and two of them must not meet.
  const record = JSON.stringify(tenant)
  return { folder: `h-${createHash('sha256').update(record).digest('hex')}`, record }
}

/** Without types anything may come; as a part of a path all of it would look like a name. */
export function checkTenant(tenant: unknown): void {
  if (typeof tenant !== 'string')
    throw blobError('toolcrib.blob_invalid', `A tenant of a blob store is a text, not ${typeof tenant}.`)
}

/** Names the tenant of a folder that was found; nothing for a folder that is no tenant's. */
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
