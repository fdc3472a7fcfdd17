import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Claim } from '../../src/scheduling/claim.js'
import { isGranted } from '../../src/scheduling/shared/is-granted.js'
import { createLockTable, type Holding } from '../../src/scheduling/lock-table.js'
import { queuesOf, toEntry } from './shared-locks/queues-of.js'

const keys = ['db:a', 'db:b', 'path:/', 'path:/a', 'path:/a/b', 'path:/a/b/', 'path:/ab', 'path:/c/d']
const lock = fc.record({ key: fc.constantFrom(...keys), mode: fc.constantFrom('shared', 'exclusive') })
const slot = fc.record({ key: fc.constantFrom('p', 'q'), width: fc.constant(2) })
const claims = fc.array(fc.oneof({ weight: 3, arbitrary: lock }, { weight: 1, arbitrary: slot }), {
  minLength: 1,
  maxLength: 3,
}) as fc.Arbitrary<Claim[]>

const step = fc.oneof(
  { weight: 3, arbitrary: claims.map((join) => ({ join })) },
  { weight: 2, arbitrary: fc.nat().map((leave) => ({ leave })) },
)

const bare = (key: string): string => (key.length > 6 ? key.replace(/\/$/, '') : key)

function isBelow(key: string, folder: string): boolean {
  return folder === 'path:/' ? key.startsWith('path:/') : key.startsWith(`${folder}/`)
}

/** The rule in its simplest form. */
function meet(a: Claim, b: Claim): boolean {
  if ('width' in a || 'width' in b || (a.mode === 'shared' && b.mode === 'shared')) return false
  const [x, y] = [bare(a.key), bare(b.key)]
  return x === y || isBelow(x, y) || isBelow(y, x)
}

function mayHold(entry: Claim[], before: Claim[][]): boolean {
  const hasPlaces = entry.every(
    (claim) =>
      !('width' in claim) ||
      before.filter((other) => other.some((each) => 'width' in each && each.key === claim.key)).length <
        claim.width,
  )
  return hasPlaces && before.every((other) => !other.some((each) => entry.some((claim) => meet(each, claim))))
}

describe('locks and slots inside one process', () => {
  it('are granted exactly when no earlier claim that is still there conflicts', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const table = createLockTable()
        const there: { claims: Claim[]; holding: Holding; told: number }[] = []
        for (const each of steps) {
          if ('join' in each) {
            const entry = { claims: each.join, told: 0 } as (typeof there)[number]
            entry.holding = table.join(each.join, { onGranted: () => entry.told++ }, 't')
            there.push(entry)
          } else if (there.length > 0) {
            const [gone] = there.splice(each.leave % there.length, 1)
            gone!.holding.leave()
            gone!.holding.leave()
          }
          there.forEach(({ claims: own, holding }, index) => {
            const before = there.slice(0, index).map((other) => other.claims)
            expect(holding.isGranted).toBe(mayHold(own, before))
            // Processes that share the queues get the same result.
            const entries = there.map((other, at) => toEntry(`${at}`, other.claims))
            expect(isGranted(queuesOf(entries), entries[index]!)).toBe(holding.isGranted)
          })
        }
        for (const { told } of there) expect(told).toBeLessThanOrEqual(1)
        // The first claim is always granted, so every claim is granted once those before it have left.
        for (const { holding } of there) {
          expect(holding.isGranted).toBe(true)
          holding.leave()
        }
        expect(table.size).toBe(0)
      }),
      { numRuns: 500 },
    )
  })

  it('a path below very many folders is covered by a lock of one of them', () => {
    const table = createLockTable()
    for (const deep of [
      `path:/x${'/a'.repeat(1_000_000)}`,
      `path:/${'y'.repeat(5000)}`,
      `path:/${'z/'.repeat(200)}`,
    ]) {
      const first = table.join([{ key: deep, mode: 'exclusive' }], { onGranted() {} }, 't')
      const same = table.join([{ key: deep, mode: 'shared' }], { onGranted() {} }, 't')
      const above = table.join([{ key: 'path:/', mode: 'shared' }], { onGranted() {} }, 't')
      expect([first.isGranted, same.isGranted, above.isGranted]).toEqual([true, false, false])
      for (const each of [first, same, above]) each.leave()
    }
  })

  it('a writer gets its turn although readers keep coming', () => {
    const table = createLockTable()
    const read: Claim[] = [{ key: 'k', mode: 'shared' }]
    let isWriting = false
    const first = table.join(read, { onGranted() {} }, 't')
    table.join([{ key: 'k', mode: 'exclusive' }], { onGranted: () => (isWriting = true) }, 't')
    const later = table.join(read, { onGranted() {} }, 't')
    expect(later.isGranted).toBe(false)
    first.leave()
    expect(isWriting).toBe(true)
  })
})
