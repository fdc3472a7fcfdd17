import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isStoreError } from 'toolcrib'
import { toolError } from '../../../src/pipeline/failures/tool-error.js'
import type { Claim, Lock } from '../../../src/scheduling/claim.js'
import { isSlotRefused } from '../../../src/scheduling/shared/slot-refused.js'
import { temporaryFolder } from '../../storage/temporary-folder.js'
import { closeLocks, openLocks as open, until, type OpenLocks, type OpenLocksOptions } from './open-locks.js'

let slot: ReturnType<typeof temporaryFolder>

beforeEach(() => {
  slot = temporaryFolder()
})

afterEach(async () => {
  await closeLocks()
  slot.remove()
})

const openLocks = (name: string, more: Partial<OpenLocksOptions> = {}): Promise<OpenLocks> =>
  open({ path: slot.path('crib.db'), name, ...more })

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
  it('are held by one and waited for by others, in the order in which they came', async () => {
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
    // It came after, so it waits: were it let in, those who take both might never have their turn.
    const late = c.take([write('db:two')])
    await until(async () => (await a.size()) === 3)
    held.release()
    ;(await both).release()
    ;(await late).release()
  })

  it('are given back once, however often that is said', async () => {
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

  it('of one call that claims twice are told apart', async () => {
    const a = await openLocks('a')
    const first = await a.take([write('k')], { id: 'inv_1' })
    const again = a.take([write('k')], { id: 'inv_1' })
    await until(async () => (await a.size()) === 2)
    first.release()
    const second = await again
    expect(await a.states()).toEqual(['held inv_1'])
    second.release()
  })

  it('are each tenant’s own', async () => {
    const a = await openLocks('a')
    const held = await a.take([write('k')])
    const other = await a.take([write('k')], { tenant: 'another' })
    expect(await a.states()).toEqual(['held inv_a_0'])
    other.release()
    held.release()
  })

  it('cost one write for all that is asked for in one go, and one for all that is given back', async () => {
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

  it('cost nothing where nothing is claimed', async () => {
    const { wrap, writes } = counting()
    const a = await openLocks('a', { wrap })
    ;(await a.take([])).release()
    await a.close()
    expect(writes()).toBe(0)
  })
})

describe('slots', () => {
  const seat: Claim = { key: 'page', width: 2 }

  it('are as many as there are', async () => {
    const [a, b] = [await openLocks('a'), await openLocks('b')]
    const first = await a.take([seat])
    const second = await b.take([seat])
    const third = a.take([seat])
    await until(async () => (await a.size()) === 3)
    expect(await a.states()).toEqual(['held inv_a_0', 'held inv_b_0', 'waiting inv_a_1'])
    second.release()
    ;(await third).release()
    first.release()
  })

  it('that are not to be waited for are refused in the words of whoever limits them', async () => {
    const [a, b] = [await openLocks('a'), await openLocks('b')]
    const full = toolError('rate_limited', { message: 'Two pages are open.' })
    const impatient: Claim = { ...seat, refuse: () => full }
    const first = await a.take([seat])
    const second = await b.take([impatient, write('k')])
    const refused = await b.take([impatient]).catch((error: unknown) => error)
    expect(isSlotRefused(refused) && refused.refusal).toBe(full)
    // A lock is waited for all the same; its slot is kept meanwhile.
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
  it('ends with the signal, for its reason, and leaves nothing behind', async () => {
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

  it('does not begin with a signal that is aborted, nor is written when it is at once', async () => {
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

  it('is not ended by a signal that comes after: who holds gives back', async () => {
    const a = await openLocks('a')
    const controller = new AbortController()
    const held = await a.take([write('k')], { signal: controller.signal })
    controller.abort()
    await new Promise(setImmediate)
    expect(await a.states()).toEqual(['held inv_a_0'])
    held.release()
  })

  it('goes on when the one before is dead, also where it cannot be told at first', async () => {
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

  it('comes again when somebody took it for dead', async () => {
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

describe('what the dead left', () => {
  it('is removed at first sight, also where it is in nobody’s way', async () => {
    const dead = await openLocks('dead')
    await dead.take([write('old')])
    const b = await openLocks('b', { isDead: async (id) => id === 'crib_dead' })
    const held = await b.take([write('new')])
    await until(async () => (await b.size()) === 1)
    expect(await b.states()).toEqual(['held inv_b_0'])
    held.release()
  })
})

describe('the queues in the store', () => {
  const queue = async (locks: Awaited<ReturnType<typeof openLocks>>, key: string) =>
    locks.store.getDocument('default', 'lock_queue', `lock:"default":${key}`)

  it('are a document for each key: who takes one does not touch another', async () => {
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

  it('are entered by one write, so that two who claim the same in another order never wait for each other', async () => {
    const [a, b] = [await openLocks('a'), await openLocks('b')]
    const rounds = async (locks: typeof a, keys: readonly string[]): Promise<void> => {
      for (let round = 0; round < 20; round++) (await locks.take(keys.map(write))).release()
    }
    await Promise.all([rounds(a, ['x', 'y', 'z']), rounds(b, ['z', 'y', 'x'])])
    await until(async () => (await a.size()) === 0)
  })

  it('are forgotten when they have been empty for long', async () => {
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
  it('gives back what is held, turns away who waits, and takes nothing on', async () => {
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

  it('waits for what is under way', async () => {
    const a = await openLocks('a')
    const taking = a.take([write('k')]).catch((error: unknown) => error)
    await Promise.resolve()
    await a.close()
    await taking
    expect(await a.size()).toBe(0)
  })
})

describe('a table that cannot be read', () => {
  it.each([
    ['no list', { entries: [] }],
    ['a stranger in the list', [{ id: 'x' }]],
    ['a claim that is none', [{ id: 'x', invocationId: 'i', owner: 'o', since: 0, kind: 'some' }]],
  ])('is not taken for an empty one: %s', async (_, value) => {
    const a = await openLocks('a')
    const document = { tenant: 'default', kind: 'lock_queue', id: 'lock:"default":k', updatedAt: 0, value }
    await a.store.write({ documents: [document] })
    await expect(a.take([write('k')])).rejects.toThrow(/cannot be read/)
    await expect(a.list()).rejects.toMatchObject({ code: 'toolcrib.store_failed' })
  })
})
