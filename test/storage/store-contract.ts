import { readdirSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lastPositionOf } from '../../src/storage/chunk-positions.js'
import { isStoreError } from '../../src/storage/store-error.js'
import {
  MAX_CHUNK_EVENTS,
  type CallQuery,
  type CallRow,
  type DocumentWrite,
  type Store,
  type WriteGroup,
} from '../../src/storage/store.js'
import { updateDocument } from '../../src/storage/update-document.js'
import { updateDocuments } from '../../src/storage/update-documents.js'
import type { WatchTopic } from '../../src/storage/store.js'
import {
  documentsOf,
  eventsOf,
  makeCall,
  makeChunk,
  positionedLog,
  seededRandom,
  wholeLog,
} from './make-records.js'

const LOG: WatchTopic = { of: 'log' }

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

export interface ContractOptions {
  /** Takes away what the store left. */
  remove?: () => void
  /** Whether positions may be missing between chunks, as where many processes write without a common turn. */
  hasGaps?: boolean
  /** A second store over the same records, as another process has; or why there can be none. */
  another: (() => Store) | { cannot: string }
}

/** What every store promises. `makeStore` gives a new, empty one each time. */
export function storeContract(
  name: string,
  makeStore: () => Store | Promise<Store>,
  { remove = () => {}, hasGaps = false, another }: ContractOptions,
): void {
  describe(`the ${name} store`, () => {
    let store: Store

    beforeEach(async () => {
      store = await makeStore()
      await store.open()
    })

    afterEach(async () => {
      await store.close()
      remove()
    })

    const put = async (write: Partial<DocumentWrite>) => store.write({ documents: [documentWrite(write)] })

    /** After so many events. */
    const expectEnd = async (events: number): Promise<void> => {
      const last = await store.lastPosition()
      if (hasGaps) expect(last).toBeGreaterThanOrEqual(events)
      else expect(last).toBe(events)
    }

    describe('writing a group', () => {
      it('says what it is and where', () => {
        expect(store.name).toMatch(/./)
        expect(store.location).toMatch(/./)
      })

      it('names its own files, which are full paths and belong to nobody else', async () => {
        await store.write({ calls: [makeCall('inv_1')] })
        const files = store.files()
        for (const file of files) expect(isAbsolute(file)).toBe(true)
        expect(new Set(files).size).toBe(files.length)
        if (store.isEphemeral || files.length === 0) return
        // All that is in its folder is its own, while it is open.
        const there = readdirSync(dirname(files[0]!)).map((name) => join(dirname(files[0]!), name))
        for (const file of there) expect(files).toContain(file)
        expect(there).toContain(files[0])
      })

      it('tells the time in whole milliseconds', () => {
        expect(Number.isSafeInteger(store.now())).toBe(true)
        expect(store.now()).toBeGreaterThan(Date.UTC(2024))
      })

      it('takes an empty group and changes nothing', async () => {
        expect(await store.write({})).toEqual({ conflictingCalls: [], conflictingDocuments: [] })
        expect(await store.lastPosition()).toBe(0)
        expect(await wholeLog(store)).toEqual([])
      })

      it('keeps a call, its events, other events and documents together', async () => {
        const outcome = await store.write({
          calls: [makeCall('inv_1', {}, 3)],
          chunks: [makeChunk('surface_1', { count: 2 })],
          documents: [{ tenant: 't1', kind: 'surface', id: 'surface_1', updatedAt: 5, value: { a: 1 } }],
        })
        expect(outcome).toEqual({ conflictingCalls: [], conflictingDocuments: [] })
        expect(await wholeLog(store)).toEqual(['inv_1#1', 'inv_1#2', 'inv_1#3', 'surface_1#1', 'surface_1#2'])
        expect(await store.getCall('t1', 'inv_1')).toMatchObject({ invocationId: 'inv_1', revision: 1 })
        expect(await store.getDocument('t1', 'surface', 'surface_1')).toMatchObject({ value: { a: 1 } })
      })

      it('writes nothing of a group that cannot be written whole', async () => {
        await store.write({ chunks: [makeChunk('s', { count: 2 })] })
        const unwritable = async () =>
          store.write({
            calls: [makeCall('inv_1')],
            chunks: [makeChunk('s', { firstSequence: 3 })],
            documents: [
              { tenant: 't1', kind: 'k', id: 'good', updatedAt: 1, value: 1 },
              { tenant: 't1', kind: 'k', id: 'bad', updatedAt: 1, value: () => 'not data' },
            ],
          })
        await expect(unwritable()).rejects.toThrow()
        expect(await store.getCall('t1', 'inv_1')).toBeUndefined()
        expect(await store.getDocument('t1', 'k', 'good')).toBeUndefined()
        await expectEnd(2)
        await store.write({ chunks: [makeChunk('s', { firstSequence: 3 })] })
        expect(await wholeLog(store)).toEqual(['s#1', 's#2', 's#3'])
      })

      it('refuses a document that is not JSON', async () => {
        const cycle: Record<string, unknown> = {}
        cycle['self'] = cycle
        for (const value of [1n, cycle, Symbol('s')]) {
          await expect(put({ id: 'bad', value })).rejects.toThrow()
          expect(await store.getDocument('t1', 'k', 'bad')).toBeUndefined()
        }
      })
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

      it('takes several writes of one call in one group, in order', async () => {
        const outcome = await store.write({
          calls: [makeCall('inv_1', {}, 2), makeCall('inv_1', { revision: 2, status: 'succeeded' }, 2, 3)],
        })
        expect(outcome.conflictingCalls).toEqual([])
        expect(await wholeLog(store)).toEqual(['inv_1#1', 'inv_1#2', 'inv_1#3', 'inv_1#4'])
        expect(await store.getCall('t1', 'inv_1')).toMatchObject({ revision: 2, status: 'succeeded' })
      })

      it('gives absent fields back as absent', async () => {
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

      it('gives back every optional field that was written', async () => {
        const row: CallRow = {
          ...makeCall('inv_1').row,
          resultStatus: 'failed',
          actor: 'ann',
          session: 'sess',
        }
        await store.write({ calls: [makeCall('inv_1', row)] })
        expect(await store.getCall('t1', 'inv_1')).toEqual(row)
      })

      it('is not changed by changing what was written or what was read', async () => {
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

    describe('the log', () => {
      it('has growing positions over calls, chunks and groups, and none is taken twice', async () => {
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

      it('shows nothing later at or below a position that was there', async () => {
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

      it('gives events back exactly: type, time, data, and no data where there was none', async () => {
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

      it('says of each chunk of a call whose it is', async () => {
        const more = { actor: 'ann', session: 's', toolId: 'local.x' }
        await store.write({ calls: [makeCall('inv_1', more)] })
        await store.write({ calls: [makeCall('inv_1', { ...more, revision: 2 }, 1, 2)] })
        const about = { invocationId: 'inv_1', surfaceId: 'surface_1', ...more }
        for (const chunk of await store.readStream('t1', 'inv_1')) expect(chunk.call).toMatchObject(about)
        for (const chunk of await store.readLog({ tenant: 't1', after: 0, limit: 9 })) {
          expect(chunk.call).toMatchObject(about)
        }
      })

      it('reads one stream in its order, whatever stands between', async () => {
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

      it('reads a stream on from any place without what was read before', async () => {
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
            expect(await page({ ...query, newestFirst }, limit)).toEqual(
              expectedOf({ ...query, newestFirst }),
            )
          }
        }
      })

      it('gives no cursor with the last page, also when it is full', async () => {
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
              // An old call that moves on keeps its place.
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

      it('are not mixed up by names that run together', async () => {
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

    describe('documents', () => {
      it('are put, replaced, listed by id and taken away', async () => {
        expect(await store.getDocument('t1', 'k', 'd')).toBeUndefined()
        await put({ value: { n: 1 }, updatedAt: 10 })
        expect(await store.getDocument('t1', 'k', 'd')).toEqual({
          tenant: 't1',
          kind: 'k',
          id: 'd',
          revision: 1,
          updatedAt: 10,
          value: { n: 1 },
        })
        await put({ value: { n: 2 }, updatedAt: 20 })
        await put({ id: 'a' })
        await put({ id: 'z' })
        await put({ id: 'b', kind: 'other' })
        expect(await store.getDocument('t1', 'k', 'd')).toMatchObject({ revision: 2, updatedAt: 20 })
        expect((await documentsOf(store, 't1', 'k')).map(({ id }) => id)).toEqual(['a', 'd', 'z'])
        await put({ value: undefined })
        expect(await store.getDocument('t1', 'k', 'd')).toBeUndefined()
        await put({ value: undefined })
        expect((await documentsOf(store, 't1', 'k')).map(({ id }) => id)).toEqual(['a', 'z'])
      })

      it('are listed in pages of any size, by any prefix, in one order', async () => {
        const ids = [
          '',
          'a',
          'a%',
          'a_',
          'aa',
          'ab',
          'b',
          'ba',
          'ä',
          'äx',
          '漢',
          '漢字',
          '🛠️',
          '🛠️x',
          '\uFFFD',
          'z',
        ]
        await store.write({
          documents: ids.map((id) => ({ tenant: 't1', kind: 'k', id, updatedAt: 1, value: { id } })),
        })
        await put({ kind: 'other', id: 'ax' })
        await put({ tenant: 't2', id: 'ay' })
        const all = (await documentsOf(store, 't1', 'k', { limit: 100 })).map(({ id }) => id)
        expect(all.toSorted()).toEqual(ids.toSorted())
        for (const prefix of [undefined, '', 'a', 'aa', 'a%', 'a_', 'ä', '漢', '🛠️', '\uFFFD', 'none']) {
          const expected = all.filter((id) => id.startsWith(prefix ?? ''))
          for (const limit of [1, 2, 5, 100]) {
            const found = await documentsOf(store, 't1', 'k', {
              limit,
              ...(prefix !== undefined && { prefix }),
            })
            expect(found.map(({ id }) => id)).toEqual(expected)
          }
        }
      })

      it('give no cursor with the last page, also when it is full', async () => {
        await put({ id: 'a' })
        await put({ id: 'b' })
        const query = { tenant: 't1', kind: 'k' }
        expect((await store.listDocuments({ ...query, limit: 2 })).cursor).toBeUndefined()
        expect((await store.listDocuments({ ...query, limit: 1 })).cursor).toBeTypeOf('string')
        expect(await store.listDocuments({ ...query, kind: 'none', limit: 1 })).toEqual({ documents: [] })
      })

      it('are neither missed nor listed twice while others come, go and change', async () => {
        const old = Array.from({ length: 20 }, (_, index) => `old_${String(index).padStart(2, '0')}`)
        for (const id of old) await put({ id })
        const seen: string[] = []
        let cursor: string | undefined
        do {
          const page = await store.listDocuments({ tenant: 't1', kind: 'k', limit: 3, cursor })
          seen.push(...page.documents.map(({ id }) => id))
          cursor = page.cursor
          await put({ id: `a_${seen.length}` })
          await put({ id: `z_${seen.length}` })
          // The last one that was listed goes, and the first one changes: neither shifts the others.
          await put({ id: seen.at(-1)!, value: undefined })
          await put({ id: old[0]!, value: seen.length })
        } while (cursor !== undefined && seen.length < 100)
        expect(new Set(seen).size).toBe(seen.length)
        expect(seen.filter((id) => id.startsWith('old_'))).toEqual(old)
      })

      it.each([null, 0, '', false, [], 'text', 1.5, { a: [{ b: null }] }])(
        'may be any JSON value: %j',
        async (value) => {
          await put({ value })
          expect((await store.getDocument('t1', 'k', 'd'))!.value).toEqual(value)
        },
      )

      it('leave out members that are undefined', async () => {
        await put({ value: { a: undefined, b: 1 } })
        const { value } = (await store.getDocument('t1', 'k', 'd'))!
        expect(Object.keys(value as object)).toEqual(['b'])
      })

      it('are set only at the expected revision; 0 means that there must be none', async () => {
        const conflicts = async (write: Partial<DocumentWrite>) => (await put(write)).conflictingDocuments
        expect(await conflicts({ expectedRevision: 1, value: 'x' })).toEqual([0])
        expect(await conflicts({ expectedRevision: 0, value: 'first' })).toEqual([])
        expect(await conflicts({ expectedRevision: 0, value: 'again' })).toEqual([0])
        expect(await conflicts({ expectedRevision: 1, value: 'second' })).toEqual([])
        expect(await conflicts({ expectedRevision: 1, value: 'late' })).toEqual([0])
        expect(await store.getDocument('t1', 'k', 'd')).toMatchObject({ value: 'second', revision: 2 })
        expect(await conflicts({ expectedRevision: 1, value: undefined })).toEqual([0])
        expect(await conflicts({ expectedRevision: 2, value: undefined })).toEqual([])
        expect(await conflicts({ expectedRevision: 2, value: 'gone' })).toEqual([0])
        expect(await conflicts({ expectedRevision: 0, value: 'anew' })).toEqual([])
        expect(await store.getDocument('t1', 'k', 'd')).toMatchObject({ value: 'anew', revision: 1 })
      })

      it('that are refused are named by index; the rest of the group is written', async () => {
        await put({ id: 'b' })
        const at = { tenant: 't1', kind: 'k', updatedAt: 1, value: 9 }
        const outcome = await store.write({
          calls: [makeCall('inv_1')],
          documents: [
            { ...at, id: 'a', expectedRevision: 0 },
            { ...at, id: 'b', expectedRevision: 0 },
            { ...at, id: 'c', expectedRevision: 4 },
            { ...at, id: 'd' },
            { ...at, id: 'd', expectedRevision: 1 },
          ],
        })
        expect(outcome).toEqual({ conflictingCalls: [], conflictingDocuments: [1, 2] })
        expect((await documentsOf(store, 't1', 'k')).map(({ id, revision }) => `${id}${revision}`)).toEqual([
          'a1',
          'b1',
          'd2',
        ])
        expect(await store.getCall('t1', 'inv_1')).toBeDefined()
      })

      it('are written all or none where a group says so', async () => {
        await put({ id: 'b' })
        const at = { tenant: 't1', kind: 'k', updatedAt: 1, value: 9 }
        let told = 0
        const end = store.watch([LOG, { of: 'documents', tenant: 't1', kind: 'k' }], () => told++)
        const refused = await store.write({
          allOrNothing: true,
          calls: [makeCall('inv_1')],
          chunks: [makeChunk('s')],
          documents: [
            { ...at, id: 'a', expectedRevision: 0 },
            { ...at, id: 'b', expectedRevision: 0 },
            { ...at, id: 'c' },
            { ...at, id: 'd', expectedRevision: 4 },
          ],
        })
        expect(refused).toEqual({ conflictingCalls: [], conflictingDocuments: [1, 3] })
        expect(await wholeLog(store)).toEqual([])
        expect(await store.getCall('t1', 'inv_1')).toBeUndefined()
        expect((await documentsOf(store, 't1', 'k')).map(({ id, revision }) => `${id}${revision}`)).toEqual([
          'b1',
        ])
        expect(told).toBe(0)
        const written = await store.write({
          allOrNothing: true,
          calls: [makeCall('inv_1')],
          documents: [
            { ...at, id: 'a', expectedRevision: 0 },
            { ...at, id: 'a', expectedRevision: 1 },
            { ...at, id: 'b', expectedRevision: 1, value: undefined },
            { ...at, id: 'b', expectedRevision: 0 },
          ],
        })
        expect(written).toEqual({ conflictingCalls: [], conflictingDocuments: [] })
        expect((await documentsOf(store, 't1', 'k')).map(({ id, revision }) => `${id}${revision}`)).toEqual([
          'a2',
          'b1',
        ])
        expect(await wholeLog(store)).toEqual(['inv_1#1'])
        await until(() => told > 0)
        end()
      })

      it('are updated one after the other by however many do so at once', async () => {
        const at = (id: string) => ({ tenant: 't1', kind: 'k', id })
        const count = (found: { value: unknown } | undefined): number =>
          (found?.value as number | undefined) ?? 0
        const both = () =>
          updateDocuments(store, [at('a'), at('b')], async (found) => {
            const values = new Map(found.map((each, index) => [index, count(each) + 1]))
            return {
              values,
              also: [documentWrite({ id: 'c', value: count(found[0]) + 1 })],
              result: undefined,
            }
          })
        const one = () =>
          updateDocument(store, at('a'), async (found) => ({ value: count(found) + 1, result: undefined }))
        await Promise.all(Array.from({ length: 12 }, (_, index) => (index % 3 === 0 ? one() : both())))
        expect((await store.getDocument('t1', 'k', 'a'))!.value).toBe(12)
        expect((await store.getDocument('t1', 'k', 'b'))!.value).toBe(8)
        expect((await store.getDocument('t1', 'k', 'c'))!.value).toBeGreaterThanOrEqual(8)
        expect(await updateDocument(store, at('none'), () => ({ result: 'left' }))).toBe('left')
        expect(await store.getDocument('t1', 'k', 'none')).toBeUndefined()
      })

      it('that others write all the time are given up after a while', async () => {
        const hurry = async (found: { revision: number } | undefined) => {
          await put({ value: 'theirs' })
          return { value: found?.revision ?? 0, result: 'mine' }
        }
        const options = { tries: 3, random: () => 0 }
        const key = { tenant: 't1', kind: 'k', id: 'd' }
        await expect(updateDocument(store, key, hurry, options)).rejects.toMatchObject({
          code: 'toolcrib.store_failed',
        })
        expect(await updateDocument(store, key, hurry, { ...options, crowded: () => 'crowded' })).toBe(
          'crowded',
        )
        expect(await store.getDocument('t1', 'k', 'd')).toMatchObject({ value: 'theirs', revision: 6 })
      })

      it('are not changed by changing what was written or what was read', async () => {
        const value = { list: [1], deep: { a: 1 } }
        await put({ value })
        value.list.push(2)
        value.deep.a = 2
        const read = (await store.getDocument('t1', 'k', 'd'))!
        expect(read.value).toEqual({ list: [1], deep: { a: 1 } })
        ;(read.value as typeof value).list.push(3)
        read.revision = 99
        const [listed] = await documentsOf(store, 't1', 'k')
        ;(listed!.value as typeof value).deep.a = 3
        expect(await store.getDocument('t1', 'k', 'd')).toMatchObject({
          revision: 1,
          value: { list: [1], deep: { a: 1 } },
        })
      })
    })

    describe('odd names', () => {
      it.each(ODD_NAMES.map((odd) => [odd.slice(0, 30), odd]))('%j stays itself', async (_, odd) => {
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

      it('keeps a member named __proto__ as data', async () => {
        const value: unknown = JSON.parse('{"__proto__":{"polluted":true},"a":1}')
        await put({ value })
        const read = (await store.getDocument('t1', 'k', 'd'))!.value as Record<string, unknown>
        expect(Object.keys(read).toSorted()).toEqual(['__proto__', 'a'])
        expect(read['polluted']).toBeUndefined()
      })
    })

    describe('watching', () => {
      it('calls back after a write, and not after it was ended', async () => {
        let first = 0
        let second = 0
        const endFirst = store.watch([LOG], () => first++)
        const endSecond = store.watch([LOG], () => second++)
        await store.write({ chunks: [makeChunk('s')] })
        await until(() => first > 0 && second > 0)
        endFirst()
        const atEnd = first
        const before = second
        await store.write({ chunks: [makeChunk('s', { firstSequence: 2 })] })
        await until(() => second > before)
        expect(first).toBe(atEnd)
        endSecond()
        endSecond()
        await store.write({ chunks: [makeChunk('s', { firstSequence: 3 })] })
        const last = second
        await new Promise((resolve) => setTimeout(resolve, 120))
        expect(second).toBe(last)
      })

      it('calls back also where the watching keeps no process alive', async () => {
        const heard = { idle: 0, held: 0 }
        const endIdle = store.watch([LOG], () => heard.idle++, { unref: true })
        await store.write({ chunks: [makeChunk('s')] })
        await until(() => heard.idle > 0)
        const endHeld = store.watch([LOG], () => heard.held++)
        endIdle()
        const before = heard.idle
        await store.write({ chunks: [makeChunk('s', { firstSequence: 2 })] })
        await until(() => heard.held > 0)
        expect(heard.idle).toBe(before)
        endHeld()
      })

      it('sees the write when it is called', async () => {
        const positions: Promise<number>[] = []
        const end = store.watch([LOG], () => positions.push(store.lastPosition()))
        await store.write({ chunks: [makeChunk('s', { count: 4 })] })
        await until(() => positions.length > 0)
        end()
        const [chunk] = await store.readLog({ tenant: 't1', after: 0, limit: 1 })
        expect(await positions[0]).toBeGreaterThanOrEqual(lastPositionOf(chunk!))
      })

      it('does not let a watcher that throws undo or fail a write', async () => {
        let heard = 0
        const endBad = store.watch([LOG], () => {
          throw new Error('watcher broke')
        })
        const endGood = store.watch([LOG], () => heard++)
        expect(await (async () => store.write({ chunks: [makeChunk('s')] }))()).toMatchObject({
          conflictingCalls: [],
        })
        await until(() => heard > 0)
        endBad()
        endGood()
        await expectEnd(1)
      })
    })

    /** Writes, each with the topics that it concerns. */
    const writes: [string, WriteGroup, string[]][] = [
      ['an event', { chunks: [makeChunk('s')] }, ['log']],
      ['a call', { calls: [makeCall('inv_1')] }, ['log', 'call']],
      ['another call', { calls: [makeCall('inv_2')] }, ['log']],
      ['a call of that name elsewhere', { calls: [makeCall('inv_1', { tenant: 't2' })] }, ['log']],
      ['that call again', { calls: [makeCall('inv_1', { revision: 2 }, 1, 2)] }, ['log', 'call']],
      ['a document', { documents: [documentWrite({})] }, ['documents']],
      ['a document of another kind', { documents: [documentWrite({ kind: 'k2' })] }, ['other']],
      ['a document of another tenant', { documents: [documentWrite({ tenant: 't2' })] }, []],
      ['a document that is refused', { documents: [documentWrite({ expectedRevision: 7 })] }, []],
      ['a document that goes', { documents: [documentWrite({ value: undefined })] }, ['documents']],
      [
        'several things',
        { calls: [makeCall('inv_3')], documents: [documentWrite({ kind: 'k2' }), documentWrite({})] },
        ['log', 'documents', 'other'],
      ],
    ]

    const topics: Record<string, WatchTopic> = {
      log: LOG,
      call: { of: 'call', tenant: 't1', invocationId: 'inv_1' },
      documents: { of: 'documents', tenant: 't1', kind: 'k' },
      other: { of: 'documents', tenant: 't1', kind: 'k2' },
      mark: { of: 'documents', tenant: 't1', kind: 'mark' },
    }

    /** Writes one thing after the other with `writer`, and expects `watched` to hear of each what concerns it. */
    const expectTopics = async (watched: Store, writer: Store): Promise<void> => {
      let heard = new Set<string>()
      const ends = Object.entries(topics).map(([name, topic]) =>
        watched.watch([topic], () => heard.add(name)),
      )
      const both = new Set<string>()
      ends.push(watched.watch([topics['call']!, topics['other']!], () => both.add('both')))
      for (const [what, group, concerned] of writes) {
        heard = new Set()
        both.clear()
        await writer.write(group)
        // Whatever is told of the write is told by the time that this one is.
        await writer.write({ documents: [documentWrite({ kind: 'mark' })] })
        await until(() => heard.has('mark'))
        expect([what, [...heard].toSorted()]).toEqual([what, [...concerned, 'mark'].toSorted()])
        expect([what, both.size]).toEqual([what, concerned.some((each) => /call|other/.test(each)) ? 1 : 0])
      }
      for (const end of ends) end()
    }

    it('wakes a watcher by what concerns its topics, and by nothing else', async () => {
      await expectTopics(store, store)
    })

    const noOther = typeof another === 'function' ? '' : ` (left out: ${another.cannot})`
    it.skipIf(noOther !== '')(
      `wakes a watcher by what another process writes about its topics${noOther}`,
      async () => {
        const other = (another as () => Store)()
        await other.open()
        await expectTopics(store, other)
        await other.close()
      },
    )

    describe('the end', () => {
      it('syncs at any time', async () => {
        await store.sync()
        await store.write({ chunks: [makeChunk('s')] })
        await Promise.all([store.sync(), store.sync(), store.sync()])
      })

      it('may be closed twice, and then says with a code that it is closed', async () => {
        await store.write({ calls: [makeCall('inv_1')] })
        await Promise.all([store.close(), store.close()])
        await store.close()
        const uses: Record<string, () => unknown> = {
          write: () => store.write({ chunks: [makeChunk('s')] }),
          sync: () => store.sync(),
          readLog: () => store.readLog({ tenant: 't1', after: 0, limit: 1 }),
          lastPosition: () => store.lastPosition(),
          readStream: () => store.readStream('t1', 'inv_1'),
          getCall: () => store.getCall('t1', 'inv_1'),
          listCalls: () => store.listCalls({ limit: 1 }),
          getDocument: () => store.getDocument('t1', 'k', 'd'),
          listDocuments: () => store.listDocuments({ tenant: 't1', kind: 'k', limit: 1 }),
        }
        const codes: Record<string, unknown> = {}
        for (const [method, use] of Object.entries(uses)) {
          try {
            await use()
            codes[method] = 'no error'
          } catch (error) {
            codes[method] = isStoreError(error) ? error.code : String(error)
          }
        }
        expect(codes).toEqual(
          Object.fromEntries(Object.keys(uses).map((method) => [method, 'toolcrib.store_closed'])),
        )
      })

      it('calls no watcher after the close', async () => {
        let heard = 0
        store.watch([LOG], () => heard++)
        await store.close()
        await new Promise((resolve) => setTimeout(resolve, 80))
        expect(heard).toBe(0)
      })
    })

    it('writes at once while the process exits, where it can', async () => {
      if (!store.writeNow) return
      store.writeNow({ calls: [makeCall('inv_1', {}, 2)], chunks: [makeChunk('s')] })
      expect(await wholeLog(store)).toEqual(['inv_1#1', 'inv_1#2', 's#1'])
    })

    it('keeps a large group', async () => {
      const calls = Array.from({ length: 500 }, (_, index) => makeCall(`inv_${index}`, {}, 8))
      const data = { text: 'x'.repeat(2_000_000) }
      const big = makeChunk('big', {}, [{ type: 'tool.result.created', at: 1_001, data }])
      await store.write({ calls, chunks: [big] })
      await expectEnd(4_001)
      const [logged] = await store.readStream('t1', 'big')
      expect((eventsOf(logged!)[0]!.data as typeof data).text).toHaveLength(2_000_000)
    })
  })
}

function documentWrite(write: Partial<DocumentWrite>): DocumentWrite {
  return { tenant: 't1', kind: 'k', id: 'd', updatedAt: 1, value: {}, ...write }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}
