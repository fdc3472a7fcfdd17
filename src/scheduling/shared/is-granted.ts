import type { Lock, Place } from '../claim.js'
import { locksMeet } from '../locks-meet.js'
import type { LockEntry } from './lock-entry.js'

/**
 * Whether an entry of the table holds what it claims: nothing that came before it stands in its way. All claims of an
 * entry are granted together, so nobody waits while holding; and nobody overtakes somebody whom it meets, so everyone
 * has a turn.
 */
export function isGranted(entries: readonly LockEntry[], index: number): boolean {
  return entries[index]!.claims.every((claim) =>
    'width' in claim ? hasPlace(entries, index, claim) : !isLocked(entries, index, claim),
  )
}

/** Whether fewer came before than there are places. Where they are not of one mind on how many, the fewest count. */
export function hasPlace(
  entries: readonly LockEntry[],
  index: number,
  { key, width }: Pick<Place, 'key' | 'width'>,
): boolean {
  let taken = 0
  let places = width
  for (let earlier = 0; earlier < index; earlier++) {
    const said = widthIn(entries[earlier]!, key)
    if (said === undefined) continue
    taken++
    places = Math.min(places, said)
  }
  return taken < places
}

function widthIn({ claims }: LockEntry, key: string): number | undefined {
  let width: number | undefined
  for (const claim of claims) {
    if ('width' in claim && claim.key === key) width = Math.min(claim.width, width ?? claim.width)
  }
  return width
}

function isLocked(entries: readonly LockEntry[], index: number, lock: Lock): boolean {
  for (let earlier = 0; earlier < index; earlier++) {
    for (const claim of entries[earlier]!.claims) {
      if ('mode' in claim && locksMeet(claim, lock)) return true
    }
  }
  return false
}
