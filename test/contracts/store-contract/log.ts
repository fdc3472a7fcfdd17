import { beforeEach, describe, expect, it } from 'vitest'
import { lastPositionOf } from '../../../src/storage/chunk-positions.js'
import { MAX_CHUNK_EVENTS, type Store } from '../../../src/storage/store.js'
import { eventsOf, makeCall, makeChunk, positionedLog, seededRandom } from '../../storage/make-records.js'
import type { StoreUnderTest } from '../store-contract.js'

export function logContract(given: StoreUnderTest): void {
  const { expectEnd, hasGaps } = given
  let store: Store

  beforeEach(() => {
    store = given.store
  })

  describe('the log', () => {
    it('has growing positions over calls, chunks and groups, and no position twice', async () => {
      const random = seededRandom(1)
      const revisions = new Map<string, { revision: number; written: number }>()
      let expected = 0
      for (let group = 0; group < 60; group++) {
        const calls = []
        const chunks = []
        for (let n = Math.floor(random() * 4); n > 0; n--) {
          const id = `inv_${Math.floor(random() * 12)}`
          const known = revisions.get(id) ?? { revision: 0, written: 0 }
          const count = 1 + Math.floor(random() * 5)
          calls.push(makeCall(id, { revision: known.revision + 1 }, count, known.written + 1))
          revisions.set(id, { revision: known.revision + 1, written: known.written + count })
          expected += count
        }
        for (let n = Math.floor(random() * 3); n > 0; n--) {
          const stream = `stream_${group}_${n}`
          const count = 1 + Math.floor(random() * 5)
          chunks.push(makeChunk(stream, { count }))
          expected += count
        }
        expect((await store.write({ calls, chunks })).conflictingCalls).toEqual([])
      }
      await expectEnd(expected)
      const seen = await positionedLog(store)
      expect(seen).toHaveLength(expected)
      const positions = seen.map(({ position }) => position)
      expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => a - b))
      if (!hasGaps) expect(positions).toEqual(Array.from({ length: expected }, (_, index) => index + 1))
      expect(await store.lastPosition()).toBeGreaterThanOrEqual(positions.at(-1)!)
    })

    it('shows nothing later at or below an earlier position', async () => {
      for (let group = 0; group < 20; group++) {
        const seen = await store.lastPosition()
        await store.write({ calls: [makeCall(`inv_${group}`, {}, 3)], chunks: [makeChunk(`s_${group}`)] })
        const read = await store.readLog({ tenant: 't1', after: seen, limit: 9 })
        expect(read.map(({ stream }) => stream)).toEqual([`inv_${group}`, `s_${group}`])
        for (const { position } of read) expect(position).toBeGreaterThan(seen)
      }
    })

    it('is read from every position, with every limit, also from inside a chunk', async () => {
      await store.write({ calls: [makeCall('inv_1', {}, 4)], chunks: [makeChunk('s', { count: 3 })] })
      await store.write({ calls: [makeCall('inv_1', { revision: 2 }, 1, 5), makeCall('inv_2', {}, 5)] })
      await store.write({ chunks: [makeChunk('s', { count: 2, firstSequence: 4 })] })
      const all = await store.readLog({ tenant: 't1', after: 0, limit: 9 })
      const chunks = all.map((chunk) => ({
        stream: chunk.stream,
        first: chunk.position,
        last: lastPositionOf(chunk),
      }))
      expect(all.map((chunk) => `${chunk.stream} ${eventsOf(chunk).length}`)).toEqual([
        'inv_1 4',
        's 3',
        'inv_1 1',
        'inv_2 5',
        's 2',
      ])
      const around = chunks.flatMap(({ first, last }) =>
        Array.from({ length: last - first + 3 }, (_, index) => first - 1 + index),
      )
      for (const after of new Set([0, ...around, (await store.lastPosition()) + 1])) {
        for (let limit = 1; limit <= 6; limit++) {
          const read = await store.readLog({ tenant: 't1', after, limit })
          const expected = chunks.filter(({ last }) => last > after).slice(0, limit)
          expect(
            read.map((chunk) => ({
              stream: chunk.stream,
              first: chunk.position,
              last: lastPositionOf(chunk),
            })),
          ).toEqual(expected)
        }
      }
    })

    it('finds the longest chunk from any position inside it', async () => {
      await store.write({ chunks: [makeChunk('before', { count: 3 })] })
      await store.write({ chunks: [makeChunk('long', { count: MAX_CHUNK_EVENTS })] })
      await store.write({ calls: [makeCall('inv_1', {}, MAX_CHUNK_EVENTS)] })
      await store.write({ chunks: [makeChunk('after')] })
      const [, long, call, after] = await store.readLog({ tenant: 't1', after: 0, limit: 9 })
      const firstAfter = async (position: number) =>
        (await store.readLog({ tenant: 't1', after: position, limit: 1 })).map(({ stream }) => stream)
      for (const chunk of [long!, call!]) {
        const last = lastPositionOf(chunk)
        for (const position of [chunk.position - 1, chunk.position, chunk.position + 500, last - 1])
          expect(await firstAfter(position)).toEqual([chunk.stream])
      }
      expect(await firstAfter(lastPositionOf(long!))).toEqual(['inv_1'])
      expect(await firstAfter(lastPositionOf(call!))).toEqual(['after'])
      expect(await firstAfter(lastPositionOf(after!))).toEqual([])
    })

    it('returns events exactly: type, time, data, and no data where there was none', async () => {
      const events = [
        {
          type: 'tool.invocation.planned',
          at: 10,
          data: { text: 'a\u0000b "q" 漢 \ud83d\ude00', n: -0.5 },
        },
        { type: 'tool.invocation.selected', at: 9 }, // a clock may step back
        { type: 'tool.invocation.started', at: 12, data: {} },
        { type: 'tool.result.created', at: 12, data: { list: [1, null, { deep: [[]] }], empty: '' } },
      ] as const
      await store.write({
        chunks: [makeChunk('s', {}, structuredClone(events))],
      })
      const [logged] = await store.readStream('t1', 's')
      expect(JSON.parse(JSON.stringify(eventsOf(logged!)))).toEqual(events)
      expect(eventsOf(logged!)[1]!.data).toBeUndefined()
      expect(logged!.call).toBeUndefined()
    })

    it('names the call of each of its chunks', async () => {
      const more = { actor: 'ann', session: 's', toolId: 'local.x' }
      await store.write({ calls: [makeCall('inv_1', more)] })
      await store.write({ calls: [makeCall('inv_1', { ...more, revision: 2 }, 1, 2)] })
      const about = { invocationId: 'inv_1', surfaceId: 'surface_1', ...more }
      for (const chunk of await store.readStream('t1', 'inv_1')) expect(chunk.call).toMatchObject(about)
      for (const chunk of await store.readLog({ tenant: 't1', after: 0, limit: 9 })) {
        expect(chunk.call).toMatchObject(about)
      }
    })

    it('reads one stream in its order, also where events of other streams are in between', async () => {
      await store.write({ calls: [makeCall('inv_1', {}, 2)], chunks: [makeChunk('s')] })
      await store.write({ calls: [makeCall('inv_2')] })
      await store.write({ calls: [makeCall('inv_1', { revision: 2 }, 2, 3)] })
      await store.write({ chunks: [makeChunk('s', { firstSequence: 2 })] })
      await store.write({ calls: [makeCall('inv_1', { revision: 3 }, 1, 5)] })
      const sequencesOf = async (stream: string) =>
        (await store.readStream('t1', stream)).flatMap((chunk) =>
          eventsOf(chunk).map((_, index) => chunk.firstSequence + index),
        )
      expect(await sequencesOf('inv_1')).toEqual([1, 2, 3, 4, 5])
      expect(await sequencesOf('s')).toEqual([1, 2])
      expect(await sequencesOf('nothing')).toEqual([])
    })

    it('continues a stream from any sequence without repeating events', async () => {
      await store.write({ calls: [makeCall('inv_1', {}, 2)] })
      await store.write({ calls: [makeCall('inv_1', { revision: 2 }, MAX_CHUNK_EVENTS, 3)] })
      await store.write({ calls: [makeCall('inv_1', { revision: 3 }, 1, MAX_CHUNK_EVENTS + 3)] })
      const startsAfter = async (after: number) =>
        (await store.readStream('t1', 'inv_1', after)).map(({ firstSequence }) => firstSequence)
      const last = MAX_CHUNK_EVENTS + 3
      expect(await startsAfter(0)).toEqual([1, 3, last])
      expect(await startsAfter(1)).toEqual([1, 3, last])
      expect(await startsAfter(2)).toEqual([3, last])
      expect(await startsAfter(last - 2)).toEqual([3, last])
      expect(await startsAfter(last - 1)).toEqual([last])
      expect(await startsAfter(last)).toEqual([])
    })
  })
}
