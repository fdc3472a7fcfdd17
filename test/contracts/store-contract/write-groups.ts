import { readdirSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../src/storage/store.js'
import { makeCall, makeChunk, wholeLog } from '../../storage/make-records.js'
import type { StoreUnderTest } from '../store-contract.js'

export function groupContract(given: StoreUnderTest): void {
  const { put, expectEnd } = given
  let store: Store

  beforeEach(() => {
    store = given.store
  })

  describe('writing a group', () => {
    it('has a name and a location', () => {
      expect(store.name).toMatch(/./)
      expect(store.location).toMatch(/./)
    })

    it('names its own files, which are full paths and belong to no other store', async () => {
      await store.write({ calls: [makeCall('inv_1')] })
      const files = store.files()
      for (const file of files) expect(isAbsolute(file)).toBe(true)
      expect(new Set(files).size).toBe(files.length)
      if (store.isEphemeral || files.length === 0) return
      // Everything in its folder is its own, while it is open.
      const there = readdirSync(dirname(files[0]!)).map((name) => join(dirname(files[0]!), name))
      for (const file of there) expect(files).toContain(file)
      expect(there).toContain(files[0])
    })

    it('returns the time in whole milliseconds', () => {
      expect(Number.isSafeInteger(store.now())).toBe(true)
      expect(store.now()).toBeGreaterThan(Date.UTC(2024))
    })

    it('accepts an empty group and changes nothing', async () => {
      expect(await store.write({})).toEqual({ conflictingCalls: [], conflictingDocuments: [] })
      expect(await store.lastPosition()).toBe(0)
      expect(await wholeLog(store)).toEqual([])
    })

    it('stores a call, its events, other events and documents together', async () => {
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
}
