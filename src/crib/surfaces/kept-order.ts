/** Up to here the ids themselves are kept. Longer orders take a fraction of the room as hashes. */
const MAX_IDS = 100
const HASH_BYTES = 4

/** The order of a list as the store keeps it: ids, or the hashes of ids one after the other. */
export type KeptOrder = readonly string[] | { hashes: string }

export function toKeptOrder(order: readonly string[]): KeptOrder {
  if (order.length <= MAX_IDS) return order
  const hashes = Buffer.alloc(order.length * HASH_BYTES)
  order.forEach((id, index) => hashes.writeUInt32BE(hashOf(id), index * HASH_BYTES))
  return { hashes: hashes.toString('base64') }
}

/** What is in no catalog any more has no place on a list, so that only ids that are known need be recognized. */
export function fromKeptOrder(kept: KeptOrder, known: () => Iterable<string>): readonly string[] {
  if (!('hashes' in kept)) return kept
  const byHash = new Map<number, string>()
  for (const id of known()) byHash.set(hashOf(id), id)
  const hashes = Buffer.from(kept.hashes, 'base64')
  const order = new Set<string>()
  for (let at = 0; at + HASH_BYTES <= hashes.length; at += HASH_BYTES) {
    const id = byHash.get(hashes.readUInt32BE(at))
    if (id !== undefined) order.add(id)
  }
  return [...order]
}

/** FNV-1a: quick, and two ids that share a hash only lose a place on a list. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index++) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
