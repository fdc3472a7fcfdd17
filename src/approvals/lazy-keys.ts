import { randomBytes } from 'node:crypto'
import { deriveKeys, SECRET_BYTES, type SealKeys } from '../platform/sealing/derive-keys.js'
import { loadUserKeys, parseSealKey, SEAL_KEY_VARIABLE, type SealKey } from '../platform/sealing/user-keys.js'
import type { Store } from '../storage/store.js'

/** A store that ends with the process needs no key that outlives it. */
const ephemeral = new WeakMap<Store, SealKeys>()

/** The keys of a crib, loaded on first use: most cribs never seal anything. */
export function lazyKeys(store: Store, given: SealKey | undefined): () => SealKeys {
  let keys: SealKeys | undefined
  return () => (keys ??= findKeys(store, given))
}

function findKeys(store: Store, given: SealKey | undefined): SealKeys {
  if (given !== undefined) return deriveKeys(parseSealKey('createCrib: "sealKey"', given))
  if (process.env[SEAL_KEY_VARIABLE] || !store.isEphemeral) return loadUserKeys()
  let keys = ephemeral.get(store)
  if (!keys) ephemeral.set(store, (keys = deriveKeys(randomBytes(SECRET_BYTES))))
  return keys
}
