import type { Claim } from './claim.js'

/** Locks and places that processes share through their store. */
export interface SharedLocks {
  /**
   * Resolves when all of them are held. Rejects when the signal is aborted first, when the store fails, or with
   * `PlaceRefused` where a place is taken that is not to be waited for.
   */
  take(
    claims: readonly Claim[],
    about: { tenant: string; invocationId: string; signal: AbortSignal },
  ): Promise<HeldLocks>
  close(): Promise<void>
}

export interface HeldLocks {
  /** Gives them back; a second time does nothing. */
  release(): void
}
