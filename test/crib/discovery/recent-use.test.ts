import { describe, expect, it } from 'vitest'
import type { CallRow } from '../../../src/storage/store.js'
import { createRecentUse } from '../../../src/crib/surfaces/recent-use.js'

const HOUR = 3_600_000
const row = (toolId: string, createdAt: number, more: Partial<CallRow> = {}): CallRow => ({
  tenant: 't',
  invocationId: `inv_${toolId}_${createdAt}`,
  toolId,
  surfaceId: 's',
  status: 'succeeded',
  resultStatus: 'succeeded',
  actor: 'ann',
  createdAt,
  revision: 1,
  ...more,
})

function place(rows: readonly CallRow[]) {
  let now = 1_000 * HOUR
  let reads = 0
  const store = {
    async listCalls() {
      reads++
      return { rows: [...rows] }
    },
  }
  const of = createRecentUse(store, () => now)
  return { of, reads: () => reads, wait: (ms: number) => (now += ms) }
}

const ann = { tenant: 't', actor: 'ann' }

describe('recent use of a tool', () => {
  it('grows with calls, and stays below 1', async () => {
    const many = Array.from({ length: 150 }, (_, at) => row('often', 1_000 * HOUR - at))
    const known = await place([...many, row('once', 1_000 * HOUR)]).of(ann)
    expect(known('never')).toBe(0)
    expect(known('once')).toBeGreaterThan(0)
    expect(known('often')).toBeGreaterThan(known('once'))
    expect(known('often')).toBeLessThan(1)
  })

  it('decreases with time', async () => {
    const known = await place([row('new', 999 * HOUR), row('old', 800 * HOUR)]).of(ann)
    expect(known('new')).toBeGreaterThan(known('old'))
  })

  it('counts only successful calls of this caller', async () => {
    const at = 999 * HOUR
    const known = await place([
      row('failed', at, { resultStatus: 'failed' }),
      row('nobody', at, { actor: undefined }),
    ]).of(ann)
    expect([known('failed'), known('nobody')]).toEqual([0, 0])
    const nameless = await place([row('ann', at), row('nobody', at, { actor: undefined })]).of({
      tenant: 't',
      actor: undefined,
    })
    expect(nameless('ann')).toBe(0)
    expect(nameless('nobody')).toBeGreaterThan(0)
  })

  it('is read at most once in ten seconds', async () => {
    const { of, reads, wait } = place([])
    await of(ann)
    wait(9_999)
    await of(ann)
    expect(reads()).toBe(1)
    wait(1)
    await of(ann)
    expect(reads()).toBe(2)
  })

  it('is 0 if the store fails, without an error', async () => {
    const of = createRecentUse({ listCalls: () => Promise.reject(new Error('broken')) }, () => 0)
    expect((await of(ann))('any')).toBe(0)
  })
})
