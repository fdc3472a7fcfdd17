import type { Claim } from './claim.js'

/** Locks and slots that processes share through their store. */
export interface SharedLocks {
  /**
   * Resolves when all of them are held. Rejects when the signal is aborted first, when the store fails, or with
   * `SlotRefused` where a slot is taken that is not to be waited for.
   */
  take(
    claims: readonly Claim[],
    about: { tenant: string; invocationId: string; signal: AbortSignal },
  ): Promise<SharedHold>
  close(): Promise<void>
}

export interface SharedHold {
  /** Gives them back; a second time does nothing. */
  release(): void
}
