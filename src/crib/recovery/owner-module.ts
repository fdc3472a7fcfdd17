import type { CribModule } from '../assemble.js'
import type { RecordPort } from '../record-module.js'
import { announceOwner, createOwnerCheck } from './owner.js'
import { recoverCalls } from './recover-calls.js'

export interface OwnerPort {
  /** The owner id of this crib. */
  readonly ownerId: string
  /** Whether the owner of a call has died. */
  isDead(ownerId: string): Promise<boolean>
}

/** Announces this crib as an owner of calls, and closes the calls of owners that died. */
export async function openOwner({ store, ids, now }: RecordPort): Promise<CribModule<OwnerPort>> {
  const ownerId = ids.next('crib', now())
  const owner = await announceOwner(store, { id: ownerId, now })
  return {
    // A new check each time, because results are cached in a check and an owner may die later.
    port: { ownerId, isDead: (id) => createOwnerCheck(store, now)(id) },
    start: () => recoverCalls(store, now),
    stop: () => owner.resign(),
  }
}
