import { beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../src/storage/store.js'
import { until } from '../../until.js'
import { documentsOf, makeCall, makeChunk, positionedLog, wholeLog } from '../../storage/make-records.js'
import type { StoreUnderTest } from '../store-contract.js'

export function removalContract(given: StoreUnderTest): void {
  let store: Store

  beforeEach(() => {
    store = given.store
  })

  const ended = { status: 'succeeded', resultStatus: 'succeeded', owner: undefined } as const
  const removal = (invocationId: string, revision = 1, tenant = 't1') => ({ tenant, invocationId, revision })

  describe('removing calls', () => {
    it('removes a call with all of its events, and nothing else', async () => {
      await store.write({
        calls: [
          makeCall('inv_1', {}, 2),
          makeCall('inv_2', ended, 3),
          makeCall('inv_1', { tenant: 't2', ...ended }),
        ],
        chunks: [makeChunk('surface_1', { count: 2 })],
      })
      await store.write({ calls: [makeCall('inv_1', { ...ended, revision: 2 }, 2, 3)] })
      expect(await store.write({ removedCalls: [removal('inv_1', 2)] })).toEqual({
        conflictingCalls: [],
        conflictingDocuments: [],
      })
      expect(await store.getCall('t1', 'inv_1')).toBeUndefined()
      expect(await store.readStream('t1', 'inv_1')).toEqual([])
      expect(await wholeLog(store)).toEqual(['inv_2#1', 'inv_2#2', 'inv_2#3', 'surface_1#1', 'surface_1#2'])
      expect(
        (await store.listCalls({ limit: 9 })).rows.map(({ tenant, invocationId }) => [tenant, invocationId]),
      ).toEqual([
        ['t1', 'inv_2'],
        ['t2', 'inv_1'],
      ])
    })

    it('leaves a gap: the other positions stay, and none is used again', async () => {
      await store.write({ calls: ['a', 'b', 'c'].map((id) => makeCall(id, ended, 2)) })
      const before = await positionedLog(store)
      const last = await store.lastPosition()
      await store.write({ removedCalls: [removal('b'), removal('c')] })
      expect(await store.lastPosition()).toBe(last)
      expect(await positionedLog(store)).toEqual(before.filter(({ event }) => event.startsWith('a')))
      await store.write({ calls: [makeCall('d')] })
      const [added] = (await positionedLog(store)).slice(2)
      expect(added).toMatchObject({ event: 'd#1' })
      expect(added!.position).toBeGreaterThan(last)
    })

    it('does not disturb a reader that follows the log', async () => {
      await store.write({ calls: ['a', 'b', 'c', 'd'].map((id) => makeCall(id, ended, 3)) })
      const [first] = await store.readLog({ tenant: 't1', after: 0, limit: 1 })
      // In the midst of the first call, which is then removed with the one after it.
      const after = first!.position + 1
      await store.write({ removedCalls: [removal('a'), removal('b')] })
      const rest = await store.readLog({ tenant: 't1', after, limit: 9 })
      expect(rest.map(({ stream }) => stream)).toEqual(['c', 'd'])
    })

    it('does not shift the pages of a list', async () => {
      const ids = ['a', 'b', 'c', 'd', 'e', 'f']
      for (const byTime of [false, true]) {
        for (const newestFirst of [false, true]) {
          const calls = ids.map((id) =>
            makeCall(`${byTime}${newestFirst}${id}`, { ...ended, session: `${byTime}${newestFirst}` }),
          )
          await store.write({ calls })
          const query = { session: `${byTime}${newestFirst}`, tenant: 't1', byTime, newestFirst, limit: 2 }
          const { rows, cursor } = await store.listCalls(query)
          await store.write({ removedCalls: rows.map(({ invocationId }) => removal(invocationId)) })
          const next = await store.listCalls({ ...query, cursor })
          expect(next.rows.map(({ invocationId }) => invocationId.at(-1))).toEqual(
            newestFirst ? ['d', 'c'] : ['c', 'd'],
          )
        }
      }
    })

    it('never removes an open call, nor one that was written since it was read', async () => {
      await store.write({ calls: [makeCall('open'), makeCall('moved', ended), makeCall('fine', ended)] })
      await store.write({ calls: [makeCall('moved', { ...ended, revision: 2 }, 1, 2)] })
      const removedCalls = [removal('open'), removal('moved'), removal('fine'), removal('unknown')]
      const { conflictingCalls } = await store.write({ removedCalls })
      expect(conflictingCalls).toEqual(['open', 'moved', 'unknown'])
      expect(await wholeLog(store)).toEqual(['open#1', 'moved#1', 'moved#2'])
    })

    it('removes and writes nothing of a group whose removal is refused, where that is wanted', async () => {
      await store.write({ calls: [makeCall('open'), makeCall('fine', ended)] })
      const documents = [{ tenant: 't1', kind: 'k', id: 'd', updatedAt: 1, value: 1 }]
      const group = { documents, chunks: [makeChunk('s')], allOrNothing: true }
      const refused = await store.write({ ...group, removedCalls: [removal('fine'), removal('open')] })
      expect(refused).toEqual({ conflictingCalls: ['open'], conflictingDocuments: [] })
      expect(await wholeLog(store)).toEqual(['open#1', 'fine#1'])
      expect(await documentsOf(store, 't1', 'k')).toEqual([])
      const taken = await store.write({ ...group, removedCalls: [removal('fine')] })
      expect(taken).toEqual({ conflictingCalls: [], conflictingDocuments: [] })
      expect(await wholeLog(store)).toEqual(['open#1', 's#1'])
      expect(await documentsOf(store, 't1', 'k')).toHaveLength(1)
    })

    it('ignores late events of a removed call', async () => {
      await store.write({ calls: [makeCall('inv_1', ended)] })
      await store.write({ removedCalls: [removal('inv_1')] })
      const late = await store.write({ calls: [makeCall('inv_1', { ...ended, revision: 2 }, 1, 2)] })
      expect(late.conflictingCalls).toEqual(['inv_1'])
      expect(await wholeLog(store)).toEqual([])
    })

    it('removes streams that are not calls', async () => {
      await store.write({
        chunks: [makeChunk('s', { count: 2 }), makeChunk('other'), makeChunk('s', { tenant: 't2' })],
      })
      await store.write({ chunks: [makeChunk('s', { firstSequence: 3 })] })
      await store.write({
        removedStreams: [
          { tenant: 't1', stream: 's' },
          { tenant: 't1', stream: 'none' },
        ],
      })
      expect(await wholeLog(store)).toEqual(['other#1'])
      expect(await wholeLog(store, 't2')).toEqual(['s#1'])
      expect(await store.readStream('t1', 's')).toEqual([])
    })

    it('wakes those who watch the call', async () => {
      await store.write({ calls: [makeCall('inv_1', ended), makeCall('inv_2', ended)] })
      const woken: string[] = []
      for (const invocationId of ['inv_1', 'inv_2'])
        store.watch([{ of: 'call', tenant: 't1', invocationId }], () => woken.push(invocationId))
      await store.write({ removedCalls: [removal('inv_1')] })
      await until(() => woken.length > 0, 'a watcher was called')
      expect(new Set(woken)).toEqual(new Set(['inv_1']))
    })
  })
}
