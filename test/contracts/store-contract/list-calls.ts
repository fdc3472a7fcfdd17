import { beforeEach, describe, expect, it } from 'vitest'
import type { CallQuery, CallRow, Store } from '../../../src/storage/store.js'
import { toEventList } from '../../../src/storage/event-list.js'
import { makeCall } from '../../storage/make-records.js'
import type { StoreUnderTest } from '../store-contract.js'

export function listingContract(given: StoreUnderTest): void {
  let store: Store

  beforeEach(() => {
    store = given.store
  })

  describe('listing calls', () => {
    const rows: Partial<CallRow>[] = [
      { toolId: 'a.one', actor: 'ann', session: 's1', createdAt: 100, surfaceId: 'f1' },
      { toolId: 'a.two', actor: 'bob', session: 's1', createdAt: 200, status: 'awaiting_approval' },
      { toolId: 'a.one', createdAt: 200, status: 'succeeded', resultStatus: 'succeeded', owner: undefined },
      { toolId: 'a.one', actor: 'ann', createdAt: 300, status: 'failed', resultStatus: 'failed' },
      { toolId: 'a.two', session: 's2', createdAt: 50, status: 'failed', resultStatus: 'synthetic_error' },
      { tenant: 't2', toolId: 'a.one', actor: 'ann', session: 's1', createdAt: 200 },
    ]
    const queries: Omit<CallQuery, 'limit'>[] = [
      {},
      { tenant: 't1' },
      { tenant: 't2' },
      { tenant: 't3' },
      { tool: 'a.one' },
      { tool: 'a.none' },
      { tools: new Set(['a.one', 'a.none']) },
      { tools: new Set(['a.one', 'a.two']), tenant: 't1', actor: 'ann' },
      { tools: new Set() },
      { status: ['failed'] },
      { status: ['failed', 'succeeded'] },
      { status: [] },
      { resultStatus: ['failed'] },
      { resultStatus: ['failed', 'succeeded'] },
      { actor: 'ann' },
      { session: 's1' },
      { surface: 'f1' },
      { since: 200 },
      { until: 200 },
      { since: 200, until: 201 },
      { open: true },
      { open: false },
      { tenant: 't1', tool: 'a.one', actor: 'ann', status: ['running', 'failed'], open: true },
    ]

    const expectedOf = (query: Omit<CallQuery, 'limit'>): string[] => {
      const ids = rows.flatMap((more, index) => {
        const { row } = makeCall(`inv_${index}`, more)
        const fits =
          (query.tenant === undefined || row.tenant === query.tenant) &&
          (query.tool === undefined || row.toolId === query.tool) &&
          (!query.tools || query.tools.has(row.toolId)) &&
          (!query.status || query.status.includes(row.status)) &&
          (!query.resultStatus || query.resultStatus.some((each) => each === row.resultStatus)) &&
          (query.actor === undefined || row.actor === query.actor) &&
          (query.session === undefined || row.session === query.session) &&
          (query.surface === undefined || row.surfaceId === query.surface) &&
          (query.since === undefined || row.createdAt >= query.since) &&
          (query.until === undefined || row.createdAt < query.until) &&
          (query.open === undefined || (row.owner !== undefined) === query.open)
        return fits ? [row.invocationId] : []
      })
      const timeOf = (id: string): number => rows[Number(id.slice(4))]!.createdAt!
      if (query.byTime) ids.sort((one, other) => timeOf(one) - timeOf(other))
      return query.newestFirst ? ids.toReversed() : ids
    }

    const page = async (query: Omit<CallQuery, 'limit'>, limit: number): Promise<string[]> => {
      const ids: string[] = []
      let cursor: string | undefined
      do {
        const found = await store.listCalls({ ...query, limit, cursor })
        expect(found.rows.length).toBeLessThanOrEqual(limit)
        ids.push(...found.rows.map(({ invocationId }) => invocationId))
        cursor = found.cursor
      } while (cursor !== undefined)
      return ids
    }

    it.each(queries)('by %o, both ways, in pages of any size', async (query) => {
      for (const [index, more] of rows.entries())
        await store.write({ calls: [makeCall(`inv_${index}`, more)] })
      for (const newestFirst of [false, true]) {
        for (const limit of [1, 2, 3, 100]) {
          expect(await page({ ...query, newestFirst }, limit)).toEqual(expectedOf({ ...query, newestFirst }))
          const byTime = { ...query, newestFirst, byTime: true }
          expect(await page(byTime, limit)).toEqual(expectedOf(byTime))
        }
      }
    })

    it('reads the events with the calls, in the same pages', async () => {
      for (const [index, more] of rows.entries())
        await store.write({ calls: [makeCall(`inv_${index}`, more, 2)] })
      const { tenant, ...later } = { ...makeCall('inv_3', rows[3]).row, revision: 2 }
      await store.write({ calls: [makeCall('inv_3', { tenant, ...later }, 3, 3)] })
      for (const query of [{}, { byTime: true, newestFirst: true }, { tenant: 't1', until: 250 }]) {
        let cursor: string | undefined
        do {
          const [listed, read] = await Promise.all([
            store.listCalls({ ...query, limit: 2, cursor }),
            store.readCalls({ ...query, limit: 2, cursor }),
          ])
          expect(read.calls.map(({ row }) => row)).toEqual(listed.rows)
          for (const { row, chunks } of read.calls)
            expect(chunks).toEqual(await store.readStream(row.tenant, row.invocationId))
          expect(read.cursor).toBe(listed.cursor)
          cursor = listed.cursor
        } while (cursor !== undefined)
      }
    })

    it('reads all calls also where they have much content', async () => {
      const ids = Array.from({ length: 5 }, (_, index) => `inv_${index}`)
      const long = 'x'.repeat(600_000)
      for (const id of ids) {
        const { row } = makeCall(id)
        const events = toEventList([{ type: 'tool.invocation.progress', at: 1_000, data: { long } }], 1_000)
        await store.write({ calls: [{ row, firstSequence: 1, events }] })
      }
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const found = await store.readCalls({ limit: 100, cursor })
        seen.push(...found.calls.map(({ row }) => row.invocationId))
        cursor = found.cursor
      } while (cursor !== undefined)
      expect(seen).toEqual(ids)
    })

    it('returns no cursor with the last page, also when it is full', async () => {
      await store.write({ calls: [makeCall('inv_1'), makeCall('inv_2')] })
      expect((await store.listCalls({ limit: 2 })).cursor).toBeUndefined()
      expect((await store.listCalls({ limit: 1 })).cursor).toBeTypeOf('string')
    })

    it.each([false, true])(
      'misses and doubles nothing while new calls arrive (newest first: %s)',
      async (newestFirst) => {
        const before = Array.from({ length: 25 }, (_, index) => `old_${index}`)
        for (const id of before) await store.write({ calls: [makeCall(id)] })
        const seen: string[] = []
        let cursor: string | undefined
        let added = 0
        do {
          const found = await store.listCalls({ tenant: 't1', newestFirst, limit: 4, cursor })
          seen.push(...found.rows.map(({ invocationId }) => invocationId))
          cursor = found.cursor
          if (cursor !== undefined && added < 20) {
            await store.write({
              calls: [makeCall(`new_${added++}`), makeCall(`other_${added}`, { tenant: 't2' })],
            })
            // An old call that changes keeps its position.
            await store.write({ calls: [makeCall('old_3', { revision: added + 1 }, 1, added + 1)] })
          }
        } while (cursor !== undefined)
        expect(new Set(seen).size).toBe(seen.length)
        expect(seen.filter((id) => id.startsWith('old_')).toSorted()).toEqual(before.toSorted())
        expect(seen.some((id) => id.startsWith('other_'))).toBe(false)
        if (!newestFirst) expect(seen.filter((id) => id.startsWith('new_'))).toHaveLength(added)
      },
    )
  })
}
