import { removeDocuments } from '../../storage/remove-documents.js'
import {
  identifyThisProcess,
  isThisProcess,
  livenessOf,
  type ProcessIdentity,
} from '../../platform/processes/process-identity.js'
import { SYSTEM_TENANT, type Store, type StoredDocument } from '../../storage/store.js'

export const OWNER_KIND = 'owner'
const LEASE_MS = 15_000
const RENEW_MS = 5_000

interface OwnerRecord {
  identity: ProcessIdentity
  leaseUntil: number
}

/** This crib as the owner of its open calls, for as long as its lease is renewed. */
export interface Owner {
  readonly id: string
  /** Stops the renewal and removes the owner from the store, when it has no open calls. */
  resign(): Promise<void>
}

/** The living owners of this process: the process may outlive an owner that ended without resigning. */
const living = new Set<string>()

export async function announceOwner(
  store: Store,
  { id, now }: { id: string; now: () => number },
): Promise<Owner> {
  const identity = identifyThisProcess()
  const write = async (): Promise<void> => {
    const updatedAt = now()
    const value: OwnerRecord = { identity, leaseUntil: updatedAt + LEASE_MS }
    await store.write({ documents: [{ tenant: SYSTEM_TENANT, kind: OWNER_KIND, id, updatedAt, value }] })
  }
  living.add(id)
  await write()
  // A failed renewal is repeated; until then other processes see an old lease and, on this host, a living process.
  const timer = setInterval(() => void write().catch(() => {}), RENEW_MS)
  timer.unref()
  return {
    id,
    async resign() {
      clearInterval(timer)
      living.delete(id)
      await store.write({
        documents: [{ tenant: SYSTEM_TENANT, kind: OWNER_KIND, id, updatedAt: now(), value: undefined }],
      })
    },
  }
}

/**
 * Whether an owner is known to have ended: immediately on its own host, elsewhere when its lease has expired. Check
 * after reading a call of it: an owner registers before its first call, so a missing owner has ended.
 */
export function createOwnerCheck(store: Store, now: () => number): (ownerId: string) => Promise<boolean> {
  const known = new Map<string, boolean>()
  return async (ownerId) => {
    const found = known.get(ownerId)
    if (found !== undefined) return found
    const document = await store.getDocument(SYSTEM_TENANT, OWNER_KIND, ownerId)
    const isDead = document === undefined || isGone(document, now())
    known.set(ownerId, isDead)
    return isDead
  }
}

function isGone({ id, value }: StoredDocument, now: number): boolean {
  const { identity, leaseUntil } = value as OwnerRecord
  // A worker thread, or another copy of this package, has owners of its own in the same process: their lease decides.
  if (isThisProcess(identity)) return !living.has(id) && leaseUntil < now
  const liveness = livenessOf(identity)
  return liveness === 'unknown' ? leaseUntil < now : liveness === 'dead'
}

/** The process of an owner, while it is registered. */
export async function readOwner(store: Store, ownerId: string): Promise<ProcessIdentity | undefined> {
  return ((await store.getDocument(SYSTEM_TENANT, OWNER_KIND, ownerId))?.value as OwnerRecord | undefined)
    ?.identity
}

/** Removes owners that have ended. */
export async function forgetDeadOwners(store: Store, now: number): Promise<void> {
  const isOver = (document: StoredDocument): boolean => isGone(document, now)
  await removeDocuments(store, { tenant: SYSTEM_TENANT, kind: OWNER_KIND }, { isOver, now })
}
