import { beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../src/storage/store.js'
import { documentsOf, eventsOf, makeCall, makeChunk, wholeLog } from '../../storage/make-records.js'
import type { StoreUnderTest } from '../store-contract.js'

const ODD_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  ' ',
  "o'brien",
  '"quoted"',
  '%_\\',
  "'; DROP TABLE calls; --",
  'ünï-çødé-漢字-🛠️',
  '\u202Eabc',
  'line\nbreak\ttab',
  '3:abc',
  'x'.repeat(20_000),
]

export function tenantContract(given: StoreUnderTest): void {
  const { put } = given
  let store: Store

  beforeEach(() => {
    store = given.store
  })

  describe('tenants', () => {
    it('never see each other', async () => {
      await store.write({
        calls: [makeCall('inv_1'), makeCall('inv_1', { tenant: 't2', actor: 'other' }, 2)],
        chunks: [makeChunk('s'), makeChunk('s', { tenant: 't2', count: 2 })],
        documents: [
          { tenant: 't1', kind: 'k', id: 'd', updatedAt: 1, value: 'one' },
          { tenant: 't2', kind: 'k', id: 'd', updatedAt: 1, value: 'two' },
        ],
      })
      expect(await wholeLog(store, 't1')).toEqual(['inv_1#1', 's#1'])
      expect(await wholeLog(store, 't2')).toEqual(['inv_1#1', 'inv_1#2', 's#1', 's#2'])
      expect(await wholeLog(store, 't3')).toEqual([])
      expect((await store.getCall('t1', 'inv_1'))!.actor).toBeUndefined()
      expect((await store.getCall('t2', 'inv_1'))!.actor).toBe('other')
      expect(await store.getCall('t3', 'inv_1')).toBeUndefined()
      expect(await store.readStream('t3', 'inv_1')).toEqual([])
      expect(eventsOf((await store.readStream('t1', 'inv_1'))[0]!)).toHaveLength(1)
      expect((await store.listCalls({ tenant: 't2', limit: 9 })).rows).toHaveLength(1)
      expect((await documentsOf(store, 't2', 'k')).map(({ value }) => value)).toEqual(['two'])
      // A change for one is none for the other.
      await store.write({
        calls: [makeCall('inv_1', { tenant: 't2', revision: 2, status: 'failed' }, 1, 3)],
      })
      expect(await store.getCall('t1', 'inv_1')).toMatchObject({ revision: 1, status: 'running' })
      await put({ tenant: 't2', value: undefined })
      expect(await store.getDocument('t1', 'k', 'd')).toBeDefined()
    })

    it('are not confused by names that could be concatenated', async () => {
      await store.write({
        documents: [
          { tenant: 'a', kind: 'bc', id: 'd', updatedAt: 1, value: 1 },
          { tenant: 'ab', kind: 'c', id: 'd', updatedAt: 1, value: 2 },
          { tenant: 'a', kind: 'b', id: 'cd', updatedAt: 1, value: 3 },
          { tenant: 'a', kind: 'b:c', id: 'd', updatedAt: 1, value: 4 },
        ],
      })
      expect((await store.getDocument('a', 'bc', 'd'))!.value).toBe(1)
      expect((await store.getDocument('ab', 'c', 'd'))!.value).toBe(2)
      expect((await store.getDocument('a', 'b', 'cd'))!.value).toBe(3)
      expect((await store.getDocument('a', 'b:c', 'd'))!.value).toBe(4)
    })
  })

  describe('odd names', () => {
    it.each(ODD_NAMES.map((odd) => [odd.slice(0, 30), odd]))('%j stays the same', async (_, odd) => {
      await store.write({
        calls: [
          makeCall(odd, { tenant: odd, toolId: odd, actor: odd, session: odd, surfaceId: odd, owner: odd }),
        ],
        chunks: [makeChunk(`${odd}!`, { tenant: odd })],
        documents: [{ tenant: odd, kind: odd, id: odd, updatedAt: 1, value: { [odd]: odd } }],
      })
      expect((await store.getCall(odd, odd))!).toMatchObject({
        toolId: odd,
        actor: odd,
        session: odd,
        owner: odd,
      })
      const { rows } = await store.listCalls({
        tenant: odd,
        tool: odd,
        actor: odd,
        session: odd,
        surface: odd,
        limit: 5,
      })
      expect(rows.map(({ invocationId }) => invocationId)).toEqual([odd])
      expect(await store.readStream(odd, odd)).toHaveLength(1)
      expect(await wholeLog(store, odd)).toEqual([`${odd}#1`, `${odd}!#1`])
      const document = (await store.getDocument(odd, odd, odd))!
      expect(Object.entries(document.value as object)).toEqual([[odd, odd]])
      expect(await documentsOf(store, odd, odd)).toHaveLength(1)
      expect(await store.listCalls({ tenant: `${odd}x`, limit: 5 })).toMatchObject({ rows: [] })
    })

    it('stores a member named __proto__ as data', async () => {
      const value: unknown = JSON.parse('{"__proto__":{"polluted":true},"a":1}')
      await put({ value })
      const read = (await store.getDocument('t1', 'k', 'd'))!.value as Record<string, unknown>
      expect(Object.keys(read).toSorted()).toEqual(['__proto__', 'a'])
      expect(read['polluted']).toBeUndefined()
    })
  })
}
