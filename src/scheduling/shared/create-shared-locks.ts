import { storeError } from '../../storage/store-error.js'
import type { Slot } from '../claim.js'
import type { SharedHold, SharedLocks } from '../shared-locks.js'
import { expandClaims } from '../expand-claims.js'
import { createTenantLocks, type SharedLocksParts, type TenantLocks } from './tenant-locks.js'

const NOTHING_HELD: SharedHold = { release() {} }

/**
 * Locks and slots in queues of the store, one for each key, used by all processes that share the store. Additions and
 * removals that one process makes at the same time are one write.
 */
export function createSharedLocks(parts: SharedLocksParts): SharedLocks {
  const tenants = new Map<string, TenantLocks>()
  let closed: Promise<void> | undefined
  let count = 0

  function locksOf(tenant: string): TenantLocks {
    let found = tenants.get(tenant)
    if (!found) tenants.set(tenant, (found = createTenantLocks({ ...parts, tenant })))
    return found
  }

  /** Unique for each claim, also when another process resumes the same call. */
  function nonce(): string {
    return `${(count++).toString(36)}${parts.random().toString(36).slice(1, 8)}`
  }

  return {
    async take(claims, { tenant, invocationId, signal, onWait }) {
      signal.throwIfAborted()
      if (closed) throw closedError()
      if (claims.length === 0) return NOTHING_HELD
      const entry = {
        id: `${invocationId}.${nonce()}`,
        invocationId,
        owner: parts.ownerId,
        nodes: expandClaims(claims, tenant),
        since: parts.now(),
      }
      const refusable = claims.filter(
        (claim): claim is Slot => 'width' in claim && claim.refuse !== undefined,
      )
      return locksOf(tenant).take(entry, { refusable, signal, onWait })
    },
    close() {
      closed ??= Promise.all([...tenants.values()].map((locks) => locks.close(closedError()))).then(() => {})
      return closed
    },
  }
}

function closedError(): Error {
  return storeError('toolcrib.store_closed', 'The crib is closed; open a new one to take locks.')
}
