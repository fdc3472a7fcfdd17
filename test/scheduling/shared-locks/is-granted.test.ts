import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Lock } from '../../../src/scheduling/claim.js'
import { locksConflict } from '../../../src/scheduling/locks-conflict.js'
import { slotKey } from '../../../src/scheduling/expand-claims.js'
import { isGranted } from '../../../src/scheduling/shared/is-granted.js'
import { isAdmitted } from '../../../src/scheduling/shared/lock-queue.js'
import { queuesOf, toEntry, type ClaimingEntry } from './queues-of.js'

const write = (key: string): Lock => ({ key, mode: 'exclusive' })
const read = (key: string): Lock => ({ key, mode: 'shared' })

describe('two locks', () => {
  it.each([
    ['db:main', 'db:main', true],
    ['db:main', 'db:main/x', false],
    ['db:/', 'db:/x', false],
    ['path:/a', 'path:/a/b', true],
    ['path:/a', 'path:/a/b/c', true],
    ['path:/a', 'path:/ab', false],
    ['path:/a/b', 'path:/a/c', false],
    ['path:/', 'path:/a/b', true],
    ['path:/', 'path:/', true],
    ['path:/a/', 'path:/a', true],
    ['path:/a/', 'path:/a/b', true],
    ['path:/a', 'db:/a/b', false],
  ])('%s and %s conflict: %s', (a, b, meet) => {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      expect(locksConflict(write(one), write(other))).toBe(meet)
      expect(locksConflict(read(one), write(other))).toBe(meet)
      expect(locksConflict(write(one), read(other))).toBe(meet)
      expect(locksConflict(read(one), read(other))).toBe(false)
    }
  })
})

const keys = ['path:/', 'path:/a', 'path:/a/b', 'path:/ab', 'db:main', 'page:1']
const lock = fc.record<Lock>({
  key: fc.constantFrom(...keys),
  mode: fc.constantFrom('shared', 'exclusive'),
})
const slot = fc.record({ key: fc.constantFrom('gpu', 'db:main'), width: fc.integer({ min: 1, max: 3 }) })
const claims = fc.array(fc.oneof({ arbitrary: lock, weight: 3 }, { arbitrary: slot, weight: 1 }), {
  minLength: 1,
  maxLength: 4,
})
const table = fc
  .array(claims, { minLength: 1, maxLength: 12 })
  .map((list) => list.map((each, index) => toEntry(String(index), each)))

const grantedIn = (entries: readonly ClaimingEntry[]): ClaimingEntry[] => {
  const queues = queuesOf(entries)
  return entries.filter((each) => isGranted(queues, each))
}

const locksOf = ({ claims: claimed }: ClaimingEntry): Lock[] => claimed.filter((each) => 'mode' in each)

/** The model: a claim is granted if no earlier claim conflicts with it. */
const mayHold = (entries: readonly ClaimingEntry[], index: number): boolean =>
  entries[index]!.claims.every((claim) => {
    const before = entries.slice(0, index).map(({ claims: theirs }) => theirs)
    if ('mode' in claim)
      return before.every((theirs) =>
        theirs.every((each) => !('mode' in each) || !locksConflict(each, claim)),
      )
    const widths = [...before, entries[index]!.claims].flatMap((theirs) => {
      const said = theirs.flatMap((each) => ('width' in each && each.key === claim.key ? [each.width] : []))
      return said.length > 0 ? [Math.min(...said)] : []
    })
    return widths.length <= Math.min(...widths)
  })

describe('the queues grant', () => {
  it('exactly the claims without an earlier conflicting claim', () => {
    fc.assert(
      fc.property(table, (entries) => {
        const granted = new Set(grantedIn(entries))
        expect(entries.map((each) => granted.has(each))).toEqual(
          entries.map((_, index) => mayHold(entries, index)),
        )
      }),
    )
  })

  it('no two conflicting claims', () => {
    fc.assert(
      fc.property(table, (entries) => {
        const granted = grantedIn(entries)
        for (const [index, one] of granted.entries()) {
          for (const other of granted.slice(index + 1)) {
            for (const a of locksOf(one))
              for (const b of locksOf(other)) expect(locksConflict(a, b)).toBe(false)
          }
        }
      }),
    )
  })

  it('no more slots than the smallest width of the holders', () => {
    fc.assert(
      fc.property(table, (entries) => {
        const holders = new Map<string, { count: number; width: number }>()
        for (const { claims: claimed } of grantedIn(entries)) {
          const widths = new Map<string, number>()
          for (const claim of claimed) {
            if ('width' in claim)
              widths.set(claim.key, Math.min(claim.width, widths.get(claim.key) ?? claim.width))
          }
          for (const [key, width] of widths) {
            const before = holders.get(key) ?? { count: 0, width }
            holders.set(key, { count: before.count + 1, width: Math.min(width, before.width) })
          }
        }
        for (const { count, width } of holders.values()) expect(count).toBeLessThanOrEqual(width)
      }),
    )
  })

  it('always the first claim', () => {
    fc.assert(fc.property(table, (entries) => isGranted(queuesOf(entries), entries[0]!)))
  })

  it('no fewer claims when one leaves', () => {
    fc.assert(
      fc.property(table, fc.nat(), (entries, which) => {
        const gone = entries[which % entries.length]!
        const left = entries.filter((each) => each !== gone)
        const still = grantedIn(left)
        for (const each of grantedIn(entries)) if (each !== gone) expect(still).toContain(each)
      }),
    )
  })

  it('no fewer claims when one is added', () => {
    fc.assert(
      fc.property(table, claims, (entries, claimed) => {
        const longer = [...entries, toEntry('new', claimed)]
        expect(grantedIn(longer).filter(({ id }) => id !== 'new')).toEqual(grantedIn(entries))
      }),
    )
  })

  it('every claim in the end, whichever holder leaves first', () => {
    fc.assert(
      fc.property(table, fc.infiniteStream(fc.nat()), (entries, choices) => {
        const served = new Set<string>()
        let left = entries
        while (left.length > 0) {
          const granted = grantedIn(left)
          for (const { id } of granted) served.add(id)
          const gone = granted[choices.next().value % granted.length]
          left = left.filter((each) => each !== gone)
        }
        expect(served.size).toBe(entries.length)
      }),
    )
  })

  it('a writer before the readers that come after it', () => {
    const entries = [
      toEntry('a', [read('path:/a/b')]),
      toEntry('w', [write('path:/a')]),
      toEntry('b', [read('path:/a/c')]),
      toEntry('c', [read('path:/ab')]),
    ]
    expect(grantedIn(entries).map(({ id }) => id)).toEqual(['a', 'c'])
    expect(grantedIn(entries.slice(1)).map(({ id }) => id)).toEqual(['w', 'c'])
  })

  it('a slot if fewer claims came before than there are slots; one that claims it twice takes one', () => {
    const slot = { key: 'gpu', width: 2 }
    const entries = [toEntry('a', [slot, slot]), toEntry('b', [slot]), toEntry('c', [slot])]
    const queue = queuesOf(entries).get(slotKey('gpu'))!
    expect(entries.map(({ id }) => isAdmitted(queue, id))).toEqual([true, true, false])
    const strict = [toEntry('a', [{ key: 'gpu', width: 1 }]), toEntry('b', [slot])]
    expect(isAdmitted(queuesOf(strict).get(slotKey('gpu'))!, 'b')).toBe(false)
  })
})
