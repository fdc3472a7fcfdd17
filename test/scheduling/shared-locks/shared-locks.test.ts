import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isStoreError } from 'toolcrib'
import { toolError } from '../../../src/pipeline/failures/tool-error.js'
import type { Claim, Lock } from '../../../src/scheduling/claim.js'
import { isSlotRefused } from '../../../src/scheduling/shared/slot-refused.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'
import { until } from '../../until.js'
import { closeLocks, openLocks as open, type OpenLocks, type OpenLocksOptions } from './open-locks.js'

let slot: TemporaryFolder

beforeEach(() => {
  slot = openTemporaryFolder()
})

afterEach(async () => {
  await closeLocks()
  slot.remove()
})

const openLocks = (name: string, more: Partial<OpenLocksOptions> = {}): Promise<OpenLocks> =>
  open({ path: slot.file('crib.db'), name, ...more })

const write = (key: string): Lock => ({ key, mode: 'exclusive' })
const read = (key: string): Lock => ({ key, mode: 'shared' })

/** Counts the writes of a store. */
function counting() {
  let writes = 0
  const wrap: OpenLocksOptions['wrap'] = (inner) => ({
    ...inner,
    write(group) {
      writes++
      return inner.write(group)
    },
  })
  return { wrap, writes: () => writes }
}

describe('locks that processes share', () => {
  it('are held by one call while others wait, in order of arrival', async () => {
    const [a, b, c] = [await openLocks('a'), await openLocks('b'), await openLocks('c')]
    const order: string[] = []
    const held = await a.take([write('path:/work'), read('db:main')])
    const second = b.take([write('path:/work/file')]).then((got) => (order.push('b'), got))
    await until(async () => (await a.size()) === 2)
    const third = c.take([write('path:/work/file')]).then((got) => (order.push('c'), got))
    await until(async () => (await a.size()) === 3)
    const beside = await c.take([read('db:main')])
    expect(await a.states()).toEqual(['held inv_a_0', 'waiting inv_b_0', 'waiting inv_c_0', 'held inv_c_1'])
    expect(order).toEqual([])
    held.release()
    ;(await second).release()
    ;(await third).release()
    expect(order).toEqual(['b', 'c'])
    beside.release()
    await until(async () => (await a.size()) === 0)
  })

  it('are taken all together or not at all', async () => {
    const [a, b, c] = [await openLocks('a'), await openLocks('b'), await openLocks('c')]
    const held = await a.take([write('db:one')])
    const both = b.take([write('db:two'), write('db:one')])
    await until(async () => (await a.size()) === 2)
    expect(await a.states(), 'what it could have now it does not hold').toEqual([
      'held inv_a_0',
      'waiting inv_b_0',
    ])
    // It came later, so it waits: otherwise calls that take both locks might never get their turn.
    const late = c.take([write('db:two')])
    await until(async () => (await a.size()) === 3)
    held.release()
    ;(await both).release()
    ;(await late).release()
  })

  it('are released once, however often release is called', async () => {
    const [a, b] = [await openLocks('a'), await openLocks('b')]
    const first = await a.take([write('k')])
    first.release()
    first.release()
    const second = await b.take([write('k')])
    first.release()
    await until(async () => (await a.size()) === 1)
    expect(await b.states()).toEqual(['held inv_b_0'])
    second.release()
  })

  it('of one call that claims twice are distinct', async () => {
    const a = await openLocks('a')
    const first = await a.take([write('k')], { id: 'inv_1' })
    const again = a.take([write('k')], { id: 'inv_1' })
    await until(async () => (await a.size()) === 2)
    first.release()
    const second = await again
    expect(await a.states()).toEqual(['held inv_1'])
    second.release()
  })

  it('are separate for each tenant', async () => {
    const a = await openLocks('a')
    const held = await a.take([write('k')])
    const other = await a.take([write('k')], { tenant: 'another' })
    expect(await a.states()).toEqual(['held inv_a_0'])
    other.release()
    held.release()
  })

  it('cost one write for all claims made together, and one for all releases', async () => {
    const { wrap, writes } = counting()
    const a = await openLocks('a', { wrap })
    const held = await Promise.all(Array.from({ length: 20 }, (_, index) => a.take([write(`k${index}`)])))
    expect(writes()).toBe(1)
    for (const each of held) each.release()
    await until(async () => (await a.size()) === 0)
    expect(writes()).toBe(2)
    const next = await a.take([write('k')])
    next.release()
    const after = await a.take([write('k')])
    expect(writes(), 'what was given back goes with what is taken next').toBe(4)
    after.release()
  })

  it('cost nothing without claims', async () => {
    const { wrap, writes } = counting()
    const a = await openLocks('a', { wrap })
    ;(await a.take([])).release()
    await a.close()
    expect(writes()).toBe(0)
  })
})

describe('slots', () => {
  const slot: Claim = { key: 'page', width: 2 }

  it('are limited by their width', async () => {
    const [a, b] = [await openLocks('a'), await openLocks('b')]
    const first = await a.take([slot])
    const second = await b.take([slot])
    const third = a.take([slot])
    await until(async () => (await a.size()) === 3)
    expect(await a.states()).toEqual(['held inv_a_0', 'held inv_b_0', 'waiting inv_a_1'])
    second.release()
    ;(await third).release()
    first.release()
  })

  it('that must not be waited for are refused with the error of their limit', async () => {
    const [a, b] = [await openLocks('a'), await openLocks('b')]
    const full = toolError('rate_limited', { message: 'Two pages are open.' })
    const impatient: Claim = { ...slot, refuse: () => full }
    const first = await a.take([slot])
    const second = await b.take([impatient, write('k')])
    const refused = await b.take([impatient]).catch((error: unknown) => error)
    expect(isSlotRefused(refused) && refused.refusal).toBe(full)
    // A lock is waited for nevertheless; the slot is held meanwhile.
    first.release()
    await until(async () => (await a.size()) === 1)
    const waits = a.take([impatient, write('k')])
    await until(async () => (await a.size()) === 2)
    second.release()
    ;(await waits).release()
    await until(async () => (await a.size()) === 0)
  })
})

describe('waiting', () => {
  it('ends with the signal and its reason, and leaves nothing behind', async () => {
    const [a, b, c] = [await openLocks('a'), await openLocks('b'), await openLocks('c')]
    const held = await a.take([read('k')])
    const controller = new AbortController()
    const writer = b.take([write('k')], { signal: controller.signal }).catch((error: unknown) => error)
    await until(async () => (await a.size()) === 2)
    const reader = c.take([read('k')])
    await until(async () => (await a.size()) === 3)
    const reason = new Error('changed my mind')
    controller.abort(reason)
    expect(await writer).toBe(reason)
    ;(await reader).release()
    held.release()
    await until(async () => (await a.size()) === 0)
  })

  it('does not start with an aborted signal, and writes nothing if it is aborted immediately', async () => {
    const { wrap, writes } = counting()
    const a = await openLocks('a', { wrap })
    const reason = new Error('too late')
    await expect(a.take([write('k')], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const controller = new AbortController()
    const taking = a.take([write('k')], { signal: controller.signal })
    controller.abort(reason)
    await expect(taking).rejects.toBe(reason)
    await new Promise(setImmediate)
    expect(writes()).toBe(0)
  })

  it('is not affected by a signal that is aborted after the grant: the holder releases', async () => {
    const a = await openLocks('a')
    const controller = new AbortController()
    const held = await a.take([write('k')], { signal: controller.signal })
    controller.abort()
    await new Promise(setImmediate)
    expect(await a.states()).toEqual(['held inv_a_0'])
    held.release()
  })

  it('ends when the holder is dead, also if that is unknown at first', async () => {
    const dead = await openLocks('dead')
    await dead.take([write('k')])
    let asked = 0
    const isDead = async (id: string): Promise<boolean> => {
      if (++asked === 1) throw new Error('no answer')
      return id === 'crib_dead'
    }
    const b = await openLocks('b', { isDead })
    ;(await b.take([write('k')])).release()
    expect(asked).toBe(2)
  })

  it('joins again after another process considered it dead', async () => {
    const [a, b] = [await openLocks('a'), await openLocks('b')]
    const held = await a.take([write('k')])
    const waits = b.take([write('k')])
    await until(async () => (await a.size()) === 2)
    const document = (await a.store.getDocument('default', 'lock_queue', 'lock:"default":k'))!
    const value = (document.value as unknown[]).slice(0, 1)
    await a.store.write({ documents: [{ ...document, value }] })
    await until(async () => (await a.size()) === 2)
    held.release()
    ;(await waits).release()
  })
})

describe('claims of dead processes', () => {
  it('are removed when they are first seen, also if they block no call', async () => {
    const dead = await openLocks('dead')
    await dead.take([write('old')])
    const b = await openLocks('b', { isDead: async (id) => id === 'crib_dead' })
    const held = await b.take([write('new')])
    await until(async () => (await b.size()) === 1)
    expect(await b.states()).toEqual(['held inv_b_0'])
    held.release()
  })
})

describe('the stored queues', () => {
  const queue = async (locks: Awaited<ReturnType<typeof openLocks>>, key: string) =>
    locks.store.getDocument('default', 'lock_queue', `lock:"default":${key}`)

  it('are a document for each key: taking one does not touch another', async () => {
    const [a, b] = [await openLocks('a'), await openLocks('b')]
    const first = await a.take([write('one'), read('two')])
    const before = (await queue(a, 'one'))!
    const second = await b.take([read('two'), write('three')])
    expect(await queue(a, 'one')).toEqual(before)
    expect((await queue(a, 'two'))!.value).toHaveLength(2)
    expect((await queue(a, 'three'))!.value).toHaveLength(1)
    first.release()
    second.release()
  })

  it('are entered in one write, so that opposite orders of claims cause no deadlock', async () => {
    const [a, b] = [await openLocks('a'), await openLocks('b')]
    const rounds = async (locks: typeof a, keys: readonly string[]): Promise<void> => {
      for (let round = 0; round < 20; round++) (await locks.take(keys.map(write))).release()
    }
    await Promise.all([rounds(a, ['x', 'y', 'z']), rounds(b, ['z', 'y', 'x'])])
    await until(async () => (await a.size()) === 0)
  })

  it('are removed when they have been empty for long', async () => {
    const a = await openLocks('a')
    const old = { tenant: 'default', kind: 'lock_queue', updatedAt: 0, value: [] }
    await a.store.write({ documents: [{ ...old, id: 'lock:"default":old' }] })
    await a.store.write({ documents: [{ ...old, id: 'lock:"default":new', updatedAt: Date.now() }] })
    const held = await a.take([write('k')])
    await until(async () => (await queue(a, 'old')) === undefined)
    expect(await queue(a, 'new')).toBeDefined()
    held.release()
  })
})

describe('closing', () => {
  it('releases held locks, rejects waiting calls, and accepts no more', async () => {
    const [a, b] = [await openLocks('a'), await openLocks('b')]
    const mine = await a.take([write('k')])
    await a.take([write('other')])
    const theirs = b.take([write('k')])
    const waits = a.take([write('k')]).catch((error: unknown) => error)
    await until(async () => (await a.size()) === 4)
    await a.close()
    expect(isStoreError(await waits)).toBe(true)
    const held = await theirs
    expect(await b.states()).toEqual(['held inv_b_0'])
    mine.release()
    await expect(a.take([write('k')])).rejects.toMatchObject({ code: 'toolcrib.store_closed' })
    await a.close()
    held.release()
  })

  it('waits for a running operation', async () => {
    const a = await openLocks('a')
    const taking = a.take([write('k')]).catch((error: unknown) => error)
    await Promise.resolve()
    await a.close()
    await taking
    expect(await a.size()).toBe(0)
  })
})

describe('an unreadable table', () => {
  it.each([
    ['no list', { entries: [] }],
    ['a stranger in the list', [{ id: 'x' }]],
    ['a claim that is none', [{ id: 'x', invocationId: 'i', owner: 'o', since: 0, kind: 'some' }]],
  ])('is not treated as empty: %s', async (_, value) => {
    const a = await openLocks('a')
    const document = { tenant: 'default', kind: 'lock_queue', id: 'lock:"default":k', updatedAt: 0, value }
    await a.store.write({ documents: [document] })
    await expect(a.take([write('k')])).rejects.toThrow(/cannot be read/)
    await expect(a.list()).rejects.toMatchObject({ code: 'toolcrib.store_failed' })
  })
})
