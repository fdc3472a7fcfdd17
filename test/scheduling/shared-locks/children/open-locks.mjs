// What each of these children starts with: an owner of its own, and the locks that it shares with the others.
import { createSharedLocks } from '../../../../dist/scheduling/shared/create-shared-locks.js'
import { sqliteStore } from '../../../../dist/index.js'
import { announceOwner, createOwnerCheck } from '../../../../dist/crib/recovery/owner.js'

export async function openLocks(path, name) {
  const now = Date.now
  const store = sqliteStore({ path, pollMs: 5 })
  await store.open()
  const owner = await announceOwner(store, { id: `crib_${name}`, now })
  const isDead = (id) => createOwnerCheck(store, now)(id)
  const locks = createSharedLocks({ store, ownerId: owner.id, isDead, random: Math.random, now })
  const { signal } = new AbortController()
  let count = 0
  return {
    take: (claims) =>
      locks.take(claims, { tenant: 'default', invocationId: `inv_${name}_${count++}`, signal }),
    async close() {
      await locks.close()
      await owner.resign()
      await store.close()
    },
  }
}
