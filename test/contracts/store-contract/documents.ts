import { beforeEach, describe, expect, it } from 'vitest'
import type { DocumentWrite, Store, WatchTopic } from '../../../src/storage/store.js'
import { updateDocument } from '../../../src/storage/update-document.js'
import { updateDocuments } from '../../../src/storage/update-documents.js'
import { until } from '../../until.js'
import { documentsOf, makeCall, makeChunk, wholeLog, documentWrite } from '../../storage/make-records.js'
import type { StoreUnderTest } from '../store-contract.js'

const LOG: WatchTopic = { of: 'log' }

export function documentContract(given: StoreUnderTest): void {
  const { put } = given
  let store: Store

  beforeEach(() => {
    store = given.store
  })

  describe('documents', () => {
    it('are written, replaced, listed by id and removed', async () => {
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
          const downwards = await documentsOf(store, 't1', 'k', {
            limit,
            descending: true,
            ...(prefix !== undefined && { prefix }),
          })
          expect(downwards.map(({ id }) => id)).toEqual(expected.toReversed())
        }
      }
    })

    it('return no cursor with the last page, also when it is full', async () => {
      await put({ id: 'a' })
      await put({ id: 'b' })
      const query = { tenant: 't1', kind: 'k' }
      expect((await store.listDocuments({ ...query, limit: 2 })).cursor).toBeUndefined()
      expect((await store.listDocuments({ ...query, limit: 1 })).cursor).toBeTypeOf('string')
      expect(await store.listDocuments({ ...query, kind: 'none', limit: 1 })).toEqual({ documents: [] })
    })

    it('are neither missed nor listed twice while others are added, removed and changed', async () => {
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
        // The last listed one is removed, and the first one changes: neither shifts the others.
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

    it('omit members that are undefined', async () => {
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

    it('are updated one after the other by concurrent writers', async () => {
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

    it('are not affected by later changes of written or read values', async () => {
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
}
