import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryStore, type Store } from 'toolcrib'
import type { Claim } from '../../../src/scheduling/claim.js'
import { locksConflict } from '../../../src/scheduling/locks-conflict.js'
import { createSharedLocks } from '../../../src/scheduling/shared/create-shared-locks.js'
import { readLocks } from '../../../src/scheduling/shared/list-locks.js'
import { until } from '../../until.js'

const CLAIMS: readonly Claim[] = [
  { key: 'path:/a', mode: 'exclusive' },
  { key: 'path:/a/b', mode: 'exclusive' },
  { key: 'path:/a/b', mode: 'shared' },
  { key: 'db', mode: 'shared' },
  { key: 'db', mode: 'exclusive' },
]

/** What one call does: it claims, may cancel after a while, and holds its locks for a while. */
const call = fc.record({
  claims: fc.array(fc.constantFrom(...CLAIMS), { minLength: 1, maxLength: 3 }),
  turnsInside: fc.nat({ max: 4 }),
  abortAfterTurns: fc.option(fc.nat({ max: 8 }), { nil: undefined, freq: 3 }),
})

const crib = fc.array(fc.array(call, { maxLength: 4 }), { minLength: 1, maxLength: 3 })

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
}

/** A remote store: each answer takes some turns, and sometimes one is lost, before or after the work. */
function farStore(inner: Store, chances: () => number): Store {
  const slow = async <Value>(work: () => Value | Promise<Value>, canFail: boolean): Promise<Value> => {
    const fate = canFail ? chances() % 24 : 2
    await turns(chances() % 3)
    if (fate === 0) throw new Error('no answer')
    const value = await work()
    await turns(chances() % 3)
    if (fate === 1) throw new Error('the answer was lost')
    return value
  }
  return {
    ...inner,
    write: (group) => slow(() => inner.write(group), true),
    getDocument: (...asked) => slow(() => inner.getDocument(...asked), false),
  }
}

/** The plan contains everything that may vary, so that a shrunk failure keeps its order of events. */
const plan = fc.record({
  cribs: fc.array(crib, { minLength: 2, maxLength: 3 }),
  chances: fc.array(fc.nat({ max: 1_000 }), { minLength: 50, maxLength: 200 }),
})

describe('several cribs on a store that is slow and loses answers', () => {
  it('never hold conflicting locks together, leave no call waiting, and nothing in the table', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ cribs, chances }) => {
        const inner = memoryStore()
        let drawn = 0
        const draw = (): number => chances[drawn++ % chances.length]! + drawn
        const inside = new Set<readonly Claim[]>()
        const overlaps: string[] = []

        const opened = cribs.map((queues, index) => {
          const store = farStore(inner, draw)
          const parts = { store, ownerId: `crib_${index}`, isDead: async () => false, now: () => 0 }
          const locks = createSharedLocks({ ...parts, random: () => (draw() % 100) / 100 })
          const queue = async (calls: (typeof queues)[number], number: number): Promise<void> => {
            for (const each of calls) {
              const controller = new AbortController()
              if (each.abortAfterTurns !== undefined)
                void turns(each.abortAfterTurns).then(() => controller.abort(new Error('enough')))
              const about = { tenant: 't', invocationId: `inv_${index}_${number}`, signal: controller.signal }
              try {
                const held = await locks.take(each.claims, about)
                for (const other of inside) if (meet(other, each.claims)) overlaps.push(about.invocationId)
                inside.add(each.claims)
                await turns(each.turnsInside)
                inside.delete(each.claims)
                held.release()
              } catch (error) {
                expect(String(error)).toMatch(/enough|no answer|the answer was lost/)
              }
            }
          }
          return { locks, done: Promise.all(queues.map(queue)) }
        })

        await Promise.all(opened.map(({ done }) => done))
        expect(overlaps).toEqual([])
        await until(
          async () =>
            (await readLocks(inner, { tenant: 't', isDead: async () => false })).entries.length === 0,
        )
        await Promise.all(opened.map(({ locks }) => locks.close().catch(() => {})))
      }),
      { numRuns: 60 },
    )
  })
})

function meet(one: readonly Claim[], other: readonly Claim[]): boolean {
  return one.some((a) => 'mode' in a && other.some((b) => 'mode' in b && locksConflict(a, b)))
}
