import type { WaitsFor } from '../contract/describe-wait.js'
import type { Claim } from './claim.js'
import { lockName, slotKey, type NodeClaim } from './expand-claims.js'

/** The lock or the limit behind a claim that is not granted. The claim is one of those that `claims` were expanded to. */
export function claimWaitedFor(
  missing: NodeClaim | undefined,
  claims: readonly Claim[],
  tenant: string,
): WaitsFor | undefined {
  if (!missing) return undefined
  if (missing.kind !== 'slot') return { kind: 'lock', name: lockName(missing, tenant) }
  for (const claim of claims)
    if ('width' in claim && slotKey(claim.key) === missing.key && claim.name !== undefined)
      return { kind: 'limit', name: claim.name, concurrent: claim.width }
  return undefined
}
