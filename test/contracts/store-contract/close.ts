import { beforeEach, describe, expect, it } from 'vitest'
import { isStoreError } from '../../../src/storage/store-error.js'
import type { Store, WatchTopic } from '../../../src/storage/store.js'
import { eventsOf, makeCall, makeChunk, wholeLog } from '../../storage/make-records.js'
import type { StoreUnderTest } from '../store-contract.js'

const LOG: WatchTopic = { of: 'log' }

export function closeContract(given: StoreUnderTest): void {
  const { expectEnd } = given
  let store: Store

  beforeEach(() => {
    store = given.store
  })

  describe('the end', () => {
    it('syncs at any time', async () => {
      await store.sync()
      await store.write({ chunks: [makeChunk('s')] })
      await Promise.all([store.sync(), store.sync(), store.sync()])
    })

    it('may be closed twice, and then fails with a code that says it is closed', async () => {
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

  it('writes synchronously while the process exits, where it can', async () => {
    if (!store.writeNow) return
    store.writeNow({ calls: [makeCall('inv_1', {}, 2)], chunks: [makeChunk('s')] })
    expect(await wholeLog(store)).toEqual(['inv_1#1', 'inv_1#2', 's#1'])
  })

  it('stores a large group', async () => {
    const calls = Array.from({ length: 500 }, (_, index) => makeCall(`inv_${index}`, {}, 8))
    const data = { text: 'x'.repeat(2_000_000) }
    const big = makeChunk('big', {}, [{ type: 'tool.result.created', at: 1_001, data }])
    await store.write({ calls, chunks: [big] })
    await expectEnd(4_001)
    const [logged] = await store.readStream('t1', 'big')
    expect((eventsOf(logged!)[0]!.data as typeof data).text).toHaveLength(2_000_000)
  })
}
