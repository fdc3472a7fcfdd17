import { beforeEach, describe, expect, it } from 'vitest'
import type { CallRow, Store } from '../../../src/storage/store.js'
import { eventsOf, makeCall, makeChunk, wholeLog } from '../../storage/make-records.js'
import type { StoreUnderTest } from '../store-contract.js'

export function callContract(given: StoreUnderTest): void {
  const { expectEnd } = given
  let store: Store

  beforeEach(() => {
    store = given.store
  })

  describe('calls', () => {
    it('replaces the row at the next revision and adds the events', async () => {
      await store.write({ calls: [makeCall('inv_1', {}, 2)] })
      const ended = makeCall(
        'inv_1',
        {
          revision: 2,
          status: 'succeeded',
          resultStatus: 'succeeded',
          owner: undefined,
          toolId: 'local.x',
        },
        2,
        3,
      )
      await store.write({ calls: [ended] })
      expect(await store.getCall('t1', 'inv_1')).toEqual({
        tenant: 't1',
        invocationId: 'inv_1',
        toolId: 'local.x',
        surfaceId: 'surface_1',
        status: 'succeeded',
        resultStatus: 'succeeded',
        createdAt: 1_000,
        revision: 2,
      })
      expect(await wholeLog(store)).toEqual(['inv_1#1', 'inv_1#2', 'inv_1#3', 'inv_1#4'])
    })

    it('names a call whose revision moved on and writes the rest', async () => {
      await store.write({ calls: [makeCall('inv_1'), makeCall('inv_2')] })
      await store.write({ calls: [makeCall('inv_1', { revision: 2 }, 1, 2)] })
      const outcome = await store.write({
        calls: [
          makeCall('inv_3'),
          makeCall('inv_1', { revision: 2, status: 'failed' }, 5, 2), // second at this revision
          makeCall('inv_2', { revision: 2 }, 1, 2),
          makeCall('inv_2', { revision: 1 }, 4, 1), // exists already
          makeCall('inv_9', { revision: 2 }, 4, 2), // never existed
          makeCall('inv_2', { revision: 4 }, 4, 3), // one too far
          makeCall('inv_4'),
        ],
        chunks: [makeChunk('s')],
        documents: [{ tenant: 't1', kind: 'k', id: 'd', updatedAt: 1, value: 1 }],
      })
      expect(outcome).toEqual({
        conflictingCalls: ['inv_1', 'inv_2', 'inv_9'],
        conflictingDocuments: [],
      })
      expect(await wholeLog(store)).toEqual([
        'inv_1#1',
        'inv_2#1',
        'inv_1#2',
        'inv_3#1',
        'inv_2#2',
        'inv_4#1',
        's#1',
      ])
      await expectEnd(7)
      expect(await store.getCall('t1', 'inv_1')).toMatchObject({ revision: 2, status: 'running' })
      expect(await store.getCall('t1', 'inv_9')).toBeUndefined()
      expect(await store.getDocument('t1', 'k', 'd')).toBeDefined()
    })

    it('accepts several writes of one call in one group, in order', async () => {
      const outcome = await store.write({
        calls: [makeCall('inv_1', {}, 2), makeCall('inv_1', { revision: 2, status: 'succeeded' }, 2, 3)],
      })
      expect(outcome.conflictingCalls).toEqual([])
      expect(await wholeLog(store)).toEqual(['inv_1#1', 'inv_1#2', 'inv_1#3', 'inv_1#4'])
      expect(await store.getCall('t1', 'inv_1')).toMatchObject({ revision: 2, status: 'succeeded' })
    })

    it('returns absent fields as absent', async () => {
      const { row } = makeCall('inv_1', { owner: undefined })
      await store.write({ calls: [makeCall('inv_1', { owner: undefined })] })
      const found = (await store.getCall('t1', 'inv_1'))!
      for (const field of ['resultStatus', 'actor', 'session', 'owner'] as const) {
        expect(found[field]).toBeUndefined()
      }
      expect(JSON.parse(JSON.stringify(found))).toEqual(JSON.parse(JSON.stringify(row)))
      const [logged] = await store.readStream('t1', 'inv_1')
      expect(eventsOf(logged!)[0]!.data).toEqual({ note: 'inv_1.0' })
    })

    it('returns every optional field that was written', async () => {
      const row: CallRow = {
        ...makeCall('inv_1').row,
        resultStatus: 'failed',
        actor: 'ann',
        session: 'sess',
      }
      await store.write({ calls: [makeCall('inv_1', row)] })
      expect(await store.getCall('t1', 'inv_1')).toEqual(row)
    })

    it('is not affected by later changes of written or read values', async () => {
      const write = makeCall('inv_1', { actor: 'ann' })
      await store.write({ calls: [write] })
      write.row.status = 'failed'
      write.row.actor = 'mallory'
      const read = (await store.getCall('t1', 'inv_1'))!
      expect(read).toMatchObject({ status: 'running', actor: 'ann' })
      read.actor = 'mallory'
      const { rows } = await store.listCalls({ limit: 10 })
      rows[0]!.session = 'mallory'
      expect((await store.getCall('t1', 'inv_1'))!.actor).toBe('ann')
      expect((await store.getCall('t1', 'inv_1'))!.session).toBeUndefined()
    })
  })
}
