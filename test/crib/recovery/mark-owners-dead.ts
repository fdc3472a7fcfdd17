import { sqliteStore } from 'toolcrib'
import { SYSTEM_TENANT } from '../../../src/storage/store.js'
import { documentsOf } from '../../storage/make-records.js'

/** Marks owners as dead: a crib that was cut off inside this process looks alive, because its process is. */
export async function markOwnersDead(path: string): Promise<void> {
  const store = sqliteStore({ path })
  await store.open()
  for (const { id, value } of await documentsOf(store, SYSTEM_TENANT, 'owner')) {
    const owner = value as { identity: object }
    const dead = { ...owner, identity: { ...owner.identity, started: 'long ago' } }
    await store.write({
      documents: [{ tenant: SYSTEM_TENANT, kind: 'owner', id, updatedAt: 0, value: dead }],
    })
  }
  await store.close()
}
