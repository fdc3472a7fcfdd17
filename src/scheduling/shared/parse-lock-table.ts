import { storeError } from '../../storage/store-error.js'
import type { LockEntry, StoredClaim } from './lock-entry.js'

/** A table that cannot be read is not taken for an empty one: somebody may hold what it no longer tells. */
export function parseLockTable(value: unknown): readonly LockEntry[] {
  if (Array.isArray(value) && value.every(isEntry)) return value
  throw storeError(
    'toolcrib.store_failed',
    'The locks in the store cannot be read; end the processes that share it and remove its lock_table documents.',
  )
}

function isEntry(given: unknown): given is LockEntry {
  if (typeof given !== 'object' || given === null) return false
  const { id, invocationId, owner, claims, since } = given as Partial<Record<keyof LockEntry, unknown>>
  return (
    typeof id === 'string' &&
    typeof invocationId === 'string' &&
    typeof owner === 'string' &&
    typeof since === 'number' &&
    Array.isArray(claims) &&
    claims.every(isClaim)
  )
}

function isClaim(given: unknown): given is StoredClaim {
  if (typeof given !== 'object' || given === null) return false
  const { key, mode, width } = given as { key?: unknown; mode?: unknown; width?: unknown }
  if (typeof key !== 'string') return false
  return mode === 'shared' || mode === 'exclusive' || typeof width === 'number'
}
