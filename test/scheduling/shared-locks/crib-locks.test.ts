import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCrib, memoryStore, sqliteStore, type Store } from 'toolcrib'
import type { SharedLocks } from '../../../src/scheduling/shared-locks.js'
import { createPlace } from '../../edges/cli/run-cli.js'
import { endChildren, startChild } from '../../storage/run-child.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'
import { until } from '../../until.js'
import { closeLocks, openLocks } from './open-locks.js'
import { documentsOf } from '../../storage/make-records.js'

const made: SharedLocks[] = []

vi.mock(import('../../../src/scheduling/shared/create-shared-locks.js'), async (original) => {
  const { createSharedLocks } = await original()
  return {
    createSharedLocks(parts) {
      const locks = createSharedLocks(parts)
      made.push(locks)
      return locks
    },
  }
})

const takeOnce = new URL('./children/take-once.mjs', import.meta.url)

let slot: TemporaryFolder
let path: string

beforeEach(() => {
  made.length = 0
  slot = openTemporaryFolder()
  path = slot.file('crib.db')
})

afterEach(async () => {
  await endChildren()
  await closeLocks()
  slot.remove()
})

const about = (invocationId: string) => ({
  tenant: 'default',
  invocationId,
  signal: new AbortController().signal,
})

describe('a crib', () => {
  it('has shared locks only if other processes can see its store', async () => {
    const alone = await createCrib({ store: memoryStore() })
    expect(made).toHaveLength(0)
    expect(await alone.locks()).toEqual([])
    await alone.close()
    const shared = await createCrib({ store: sqliteStore({ path }) })
    expect(made).toHaveLength(1)
    await shared.close()
  })

  it('lists held and waiting claims, and releases its own before it resigns', async () => {
    const inner = sqliteStore({ path })
    const written: string[] = []
    const queued = new Map<string, number>()
    const store: Store = {
      ...inner,
      write(group) {
        for (const { kind, id, value } of group.documents ?? []) {
          if (kind === 'lock_queue') queued.set(id, (value as unknown[]).length)
          else if (kind === 'owner' && value === undefined)
            written.push(
              `resigned with ${[...queued.values()].reduce((sum, size) => sum + size, 0)} in queues`,
            )
        }
        return inner.write(group)
      },
    }
    const crib = await createCrib({ store })
    await made[0]!.take(
      [
        { key: 'path:/work', mode: 'shared' },
        { key: 'page', width: 2 },
      ],
      about('inv_1'),
    )
    const waits = made[0]!.take([{ key: 'path:/', mode: 'exclusive' }], about('inv_2'))
    waits.catch(() => {})
    await until(async () => (await crib.locks()).length === 3)
    const [owner] = (await documentsOf(store, 'toolcrib.system', 'owner')).map(({ id }) => id)
    const rest = { owner, since: expect.stringMatching(/^\d{4}-.*Z$/) as string }
    expect(await crib.locks()).toEqual([
      { key: 'path:/work', mode: 'shared', invocationId: 'inv_1', state: 'held', ...rest },
      { key: 'page', width: 2, invocationId: 'inv_1', state: 'held', ...rest },
      { key: 'path:/', mode: 'exclusive', invocationId: 'inv_2', state: 'waiting', ...rest },
    ])
    expect(await crib.locks({ tenant: 'another' })).toEqual([])
    await crib.close()
    await expect(waits).rejects.toMatchObject({ code: 'toolcrib.store_closed' })
    expect([...queued.keys()].toSorted()).toEqual([
      'lock:"default":path:/',
      'lock:"default":path:/work',
      'slot:page',
    ])
    expect(written).toEqual(['resigned with 0 in queues'])
  })

  it('does not list claims of dead processes', async () => {
    const holder = startChild(takeOnce, [path, 'holder', 'path:/work', 'exclusive'])
    await holder.said('held')
    const crib = await createCrib({ store: sqliteStore({ path }) })
    expect(await crib.locks()).toHaveLength(1)
    holder.kill('SIGKILL')
    await holder.end
    expect(await crib.locks()).toEqual([])
    await crib.close()
  })
})

describe('toolcrib locks', () => {
  it('lists held and waiting claims of living processes', async () => {
    const cli = createPlace('')
    const store = ['--store', path]
    expect((await cli.run(['locks', ...store])).stderr).toContain('Nothing was recorded yet')
    const holder = startChild(takeOnce, [path, 'holder', 'path:/work/notes', 'shared'])
    await holder.said('held')
    const look = await openLocks({ path, name: 'test' })
    const waiter = startChild(takeOnce, [path, 'waiter', 'path:/work', 'exclusive'])
    await until(async () => (await look.size()) === 2)

    const { code, stdout } = await cli.run(['locks', ...store])
    expect(code).toBe(0)
    const [first, second] = stdout.trimEnd().split('\n')
    expect(first).toMatch(/^held +path:\/work\/notes +shared +\S+ +for .*s$/)
    expect(second).toMatch(/^waiting +path:\/work +exclusive +\S+ +for .*s$/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)

    const json = (await cli.run(['locks', '--json', ...store])).stdout.trimEnd().split('\n')
    expect(json.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        key: 'path:/work/notes',
        mode: 'shared',
        invocationId: 'inv_holder_0',
        owner: 'crib_holder',
        state: 'held',
      },
      { key: 'path:/work', mode: 'exclusive', invocationId: 'inv_waiter_0', state: 'waiting' },
    ])
    for (const each of [holder, waiter]) each.say('release')
    for (const each of [holder, waiter]) expect((await each.end).code).toBe(0)
    expect((await cli.run(['locks', ...store])).stderr).toContain('Nothing is locked.')
  })
})
