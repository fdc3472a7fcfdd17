import type { Claim } from './claim.js'
import type { NodeClaim } from './expand-claims.js'

/** Locks and slots that processes share through their store. */
export interface SharedLocks {
  /**
   * Resolves when all claims are granted. Rejects when the signal is aborted first, when the store fails, or with
   * `SlotRefused` if a slot that must not be waited for is taken.
   */
  take(
    claims: readonly Claim[],
    about: {
      tenant: string
      invocationId: string
      signal: AbortSignal
      /** Called while a claim is not granted, possibly several times. */
      onWait?: ((missing: NodeClaim) => void) | undefined
    },
  ): Promise<SharedHold>
  close(): Promise<void>
}

export interface SharedHold {
  /** Releases all claims; a second call does nothing. */
  release(): void
}
