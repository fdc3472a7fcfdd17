import type { Claim } from '../../../src/scheduling/claim.js'
import { expandClaims } from '../../../src/scheduling/expand-claims.js'
import type { LockQueues } from '../../../src/scheduling/shared/is-granted.js'
import { toQueued, type LockEntry } from '../../../src/scheduling/shared/lock-entry.js'
import type { QueuedClaim } from '../../../src/scheduling/shared/lock-queue.js'

export type ClaimingEntry = LockEntry & { claims: readonly Claim[] }

export function toEntry(id: string, claims: readonly Claim[]): ClaimingEntry {
  const nodes = expandClaims(claims, 't')
  return { id, invocationId: `inv_${id}`, owner: 'crib_1', claims, nodes, since: 0 }
}

/** The stored queues of entries that came one after the other. */
export function queuesOf(entries: readonly ClaimingEntry[]): LockQueues {
  const queues = new Map<string, QueuedClaim[]>()
  for (const each of entries)
    for (const node of each.nodes)
      queues.set(node.key, [...(queues.get(node.key) ?? []), toQueued(each, node)])
  return queues
}
