import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { DeletedCall, DeletedGroupQuery, DeletedGroupWrite, Store } from '../../../src/storage/store.js'
import { makeCall, makeChunk, wholeLog } from '../../storage/make-records.js'
import type { StoreUnderTest } from '../store-contract.js'

function makeLeft(invocationId: string, more: Partial<DeletedCall> = {}): DeletedCall {
  return {
    invocationId,
    toolId: 'local.tool',
    surfaceId: 'surface_1',
    status: 'succeeded',
    resultStatus: 'succeeded',
    createdAt: 1_000,
    endedAt: 1_002,
    eventCount: 7,
    contentSha256: createHash('sha256').update(invocationId).digest('hex'),
    ...more,
  }
}

function makeGroup(
  id: string,
  calls: readonly DeletedCall[],
  more: Partial<DeletedGroupWrite> = {},
): DeletedGroupWrite {
  return { tenant: 't1', id, deletionId: 'del_1', deletedAt: 5_000, by: 'ann', calls, ...more }
}

export function deletedGroupContract(given: StoreUnderTest): void {
  let store: Store

  beforeEach(() => {
    store = given.store
  })

  const idsOf = async (query: Omit<DeletedGroupQuery, 'limit'>, limit: number): Promise<string[]> => {
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = await store.listDeletedGroups({ ...query, limit, cursor })
      ids.push(...page.groups.map(({ id }) => id))
      cursor = page.cursor
    } while (cursor !== undefined)
    return ids
  }

  describe('what stays of deleted calls', () => {
    const calls = [
      makeLeft('inv_01m7s0kz7300001jc3mmxxem'),
      makeLeft('inv_zzzzzzzzzzzzzzzzzzzzzzzz', {
        toolId: 'other.tool',
        createdAt: Date.now(),
        eventCount: 300_000,
      }),
      makeLeft('inv_000000000000000000000000', {
        status: 'denied',
        resultStatus: undefined,
        endedAt: undefined,
      }),
      makeLeft('inv_i', { createdAt: 900, endedAt: 500, eventCount: 0 }),
      makeLeft('inv_01m7s0kz7300001jc3mmxxel', { createdAt: 9_000, endedAt: 9_000_000_000_000 }),
      ...Array.from({ length: 60 }, (_, index) =>
        makeLeft(`any ${index}`, { surfaceId: `surface_${index}` }),
      ),
    ]

    it('is read as it was written, by call and by group', async () => {
      const group = makeGroup('del_1_1', calls, { reason: 'too old' })
      await store.write({ deletedGroups: [group, makeGroup('del_1_2', [makeLeft('inv_9')])] })
      const { calls: _, ...facts } = group
      for (const call of calls)
        expect(await store.getDeletedCall('t1', call.invocationId)).toEqual({ group: facts, call })
      expect(await store.readDeletedGroup('t1', 'del_1_1')).toEqual(calls)
      expect(await store.listDeletedGroups({ limit: 1 })).toEqual({
        groups: [{ ...facts, callCount: calls.length }],
        cursor: expect.any(String) as string,
      })
      expect(await store.getDeletedCall('t1', 'inv_none')).toBeUndefined()
      expect(await store.readDeletedGroup('t1', 'none')).toEqual([])
    })

    it('is written with the removal of the call, or not at all', async () => {
      await store.write({ calls: [makeCall('inv_1')] })
      const group = makeGroup('del_1_1', [makeLeft('inv_1')])
      const removedCalls = [{ tenant: 't1', invocationId: 'inv_1', revision: 1 }]
      await store.write({ removedCalls, deletedGroups: [group], allOrNothing: true })
      expect(await idsOf({}, 9)).toEqual([])
      await store.write({
        calls: [makeCall('inv_1', { status: 'succeeded', owner: undefined, revision: 2 }, 1, 2)],
      })
      await store.write({
        removedCalls: [{ ...removedCalls[0]!, revision: 2 }],
        deletedGroups: [group],
        allOrNothing: true,
      })
      expect(await idsOf({}, 9)).toEqual(['del_1_1'])
      expect(await wholeLog(store)).toEqual([])
    })

    it('is of one tenant, also where another has the same ids', async () => {
      await store.write({
        deletedGroups: [
          makeGroup('same', [makeLeft('inv_1')]),
          makeGroup('same', [makeLeft('inv_1', { toolId: 'other.tool' })], { tenant: 't2' }),
        ],
      })
      expect((await store.getDeletedCall('t1', 'inv_1'))!.call.toolId).toBe('local.tool')
      expect((await store.getDeletedCall('t2', 'inv_1'))!.call.toolId).toBe('other.tool')
      expect(await store.getDeletedCall('t3', 'inv_1')).toBeUndefined()
      await store.write({ removedGroups: [{ tenant: 't1', id: 'same' }] })
      expect(await store.getDeletedCall('t1', 'inv_1')).toBeUndefined()
      expect(await store.readDeletedGroup('t2', 'same')).toHaveLength(1)
    })

    it('is not written again in a group that is stored', async () => {
      await store.write({ deletedGroups: [makeGroup('one', [makeLeft('inv_1')])] })
      await store.write({ deletedGroups: [makeGroup('one', [makeLeft('inv_2')])] })
      expect(await store.readDeletedGroup('t1', 'one')).toEqual([makeLeft('inv_1')])
      expect(await store.getDeletedCall('t1', 'inv_2')).toBeUndefined()
    })

    it('is listed by the time of the deletion, in pages of any size', async () => {
      const times = [300, 100, 200, 100, 200]
      for (const [index, deletedAt] of times.entries()) {
        const more = { deletedAt, tenant: index === 4 ? 't2' : 't1' }
        await store.write({ deletedGroups: [makeGroup(`g${index}`, [makeLeft(`inv_${index}`)], more)] })
      }
      for (const limit of [1, 2, 9]) {
        expect(await idsOf({}, limit)).toEqual(['g1', 'g3', 'g2', 'g4', 'g0'])
        expect(await idsOf({ tenant: 't1' }, limit)).toEqual(['g1', 'g3', 'g2', 'g0'])
        expect(await idsOf({ until: 200 }, limit)).toEqual(['g1', 'g3'])
        expect(await idsOf({ tenant: 't2', until: 201 }, limit)).toEqual(['g4'])
      }
    })

    it('is removed with its group, whose place others take', async () => {
      const groups = ['a', 'b', 'c'].map((id) =>
        makeGroup(id, [makeLeft(`inv_${id}1`), makeLeft(`inv_${id}2`)]),
      )
      await store.write({ deletedGroups: groups })
      await store.write({ removedGroups: ['a', 'c'].map((id) => ({ tenant: 't1', id })) })
      await store.write({ deletedGroups: [makeGroup('d', [makeLeft('inv_d')])] })
      expect(await idsOf({}, 9)).toEqual(['b', 'd'])
      expect(await store.readDeletedGroup('t1', 'b')).toEqual(groups[1]!.calls)
      expect(await store.getDeletedCall('t1', 'inv_c1')).toBeUndefined()
      expect((await store.getDeletedCall('t1', 'inv_d'))!.group.id).toBe('d')
    })

    it('names the groups that were not there, and then removes nothing where that is wanted', async () => {
      await store.write({ deletedGroups: [makeGroup('a', [makeLeft('inv_1')])] })
      const removedGroups = ['none', 'a'].map((id) => ({ tenant: 't1', id }))
      const group = { removedGroups, chunks: [makeChunk('s')] }
      expect(await store.write({ ...group, allOrNothing: true })).toMatchObject({ missingGroups: [0] })
      expect(await idsOf({}, 9)).toEqual(['a'])
      expect(await wholeLog(store)).toEqual([])
      expect(await store.write(group)).toMatchObject({ missingGroups: [0] })
      expect(await idsOf({}, 9)).toEqual([])
      expect(await wholeLog(store)).toEqual(['s#1'])
    })
  })
}
