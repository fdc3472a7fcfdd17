import type { Claim, Lock, Place } from '../claim.js'

/** A claim as it can be stored. */
export type StoredClaim = Lock | Omit<Place, 'refuse'>

/** What one call claims, as it stands in the table that processes share. */
export interface LockEntry {
  /** The call's id and a nonce: a call that claims a second time is not taken for its first. */
  readonly id: string
  readonly invocationId: string
  /** Who runs the call. What a dead owner left is removed by whoever waits for it. */
  readonly owner: string
  readonly claims: readonly StoredClaim[]
  /** When it came, in milliseconds. */
  readonly since: number
}

export function toStoredClaim(claim: Claim): StoredClaim {
  return 'width' in claim ? { key: claim.key, width: claim.width } : { key: claim.key, mode: claim.mode }
}
