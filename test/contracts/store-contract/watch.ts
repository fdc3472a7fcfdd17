import { beforeEach, describe, expect, it } from 'vitest'
import { lastPositionOf } from '../../../src/storage/chunk-positions.js'
import type { Store, WriteGroup, WatchTopic } from '../../../src/storage/store.js'
import { until } from '../../until.js'
import { makeCall, makeChunk, documentWrite } from '../../storage/make-records.js'
import type { StoreUnderTest } from '../store-contract.js'

const LOG: WatchTopic = { of: 'log' }

export function watchContract(given: StoreUnderTest): void {
  const { expectEnd, another } = given
  let store: Store

  beforeEach(() => {
    store = given.store
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

    it('calls back also where the watcher does not keep the process alive', async () => {
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

    it('a watcher that throws neither undoes nor fails a write', async () => {
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

  /** Writes one thing after the other with `writer`, and expects `watched` to be notified of each matching one. */
  const expectTopics = async (watched: Store, writer: Store): Promise<void> => {
    let heard = new Set<string>()
    const ends = Object.entries(topics).map(([name, topic]) => watched.watch([topic], () => heard.add(name)))
    const both = new Set<string>()
    ends.push(watched.watch([topics['call']!, topics['other']!], () => both.add('both')))
    for (const [what, group, concerned] of writes) {
      heard = new Set()
      both.clear()
      await writer.write(group)
      // Any notification of the write has arrived by the time this one has.
      await writer.write({ documents: [documentWrite({ kind: 'mark' })] })
      await until(() => heard.has('mark'))
      expect([what, [...heard].toSorted()]).toEqual([what, [...concerned, 'mark'].toSorted()])
      expect([what, both.size]).toEqual([what, concerned.some((each) => /call|other/.test(each)) ? 1 : 0])
    }
    for (const end of ends) end()
  }

  it('wakes a watcher for its topics, and for nothing else', async () => {
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
}
