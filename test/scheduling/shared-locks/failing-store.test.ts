import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from 'toolcrib'
import { faultyStore, type FaultPlan } from '../../crib/recovery/faulty-store.mjs'
import { openTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'
import { until } from '../../until.js'
import { closeLocks, openLocks, type OpenLocks } from './open-locks.js'

let slot: TemporaryFolder

beforeEach(() => {
  slot = openTemporaryFolder()
})

afterEach(async () => {
  await closeLocks()
  slot.remove()
})

const KEY = [{ key: 'path:/work', mode: 'exclusive' as const }]

async function withFault(plan: FaultPlan, path = slot.file('crib.db')) {
  let store: ReturnType<typeof faultyStore>
  const wrap = (inner: Store): Store => (store = faultyStore(inner, plan))
  const locks = await openLocks({ path, name: 'a', wrap })
  return { locks, die: () => store.die() }
}

/** Takes and releases the locks a few times. Returns how often the store failed. */
async function useThem(locks: OpenLocks): Promise<number> {
  let broken = 0
  for (let round = 0; round < 3; round++) {
    try {
      const held = await locks.take(KEY)
      held.release()
      await new Promise(setImmediate)
    } catch (error) {
      expect(String(error)).toContain('the store broke')
      broken++
    }
  }
  return broken
}

describe('a store that fails once', () => {
  const LAST = 6

  for (const isAsync of [false, true]) {
    for (const when of ['before', 'after'] as const) {
      it(`${when} a write${isAsync ? ', in a remote store' : ''}: a call is rejected, and nothing stays locked`, async () => {
        for (let at = 1; at <= LAST; at++) {
          const path = slot.file(`${at}.db`)
          const { locks } = await withFault({ on: 'write', at, when, how: 'throw', isAsync }, path)
          expect(await useThem(locks)).toBeLessThanOrEqual(1)
          const other = await openLocks({ path, name: 'b' })
          ;(await other.take(KEY)).release()
          await until(async () => (await other.size()) === 0)
        }
      })
    }
  }

  it('rejects the waiting call, and removes its claim from the table', async () => {
    const holder = await openLocks({ path: slot.file('crib.db'), name: 'b' })
    const held = await holder.take(KEY)
    const { locks } = await withFault({ on: 'write', at: 2, when: 'before', how: 'throw' })
    const waits = locks.take(KEY).catch((error: unknown) => error)
    await until(async () => (await holder.size()) === 2)
    await expect(locks.take([{ key: 'another', mode: 'shared' }])).rejects.toThrow(/broke/)
    expect(String(await waits)).toContain('the store broke')
    await until(async () => (await holder.size()) === 1)
    held.release()
  })
})

describe('a store that fails permanently', () => {
  it('rejects all calls, and does not keep the process alive', async () => {
    const { locks, die } = await withFault({ on: 'write', at: 0, when: 'before', how: 'die' })
    const held = await locks.take(KEY)
    const waits = locks.take(KEY).catch((error: unknown) => error)
    await until(async () => (await locks.size()) === 2)
    die()
    expect(String(await waits)).toContain('the store broke')
    await expect(locks.take(KEY)).rejects.toThrow(/broke/)
    held.release()
    await expect(locks.close()).rejects.toThrow(/broke/)
  })

  it('rejects a call whose signal is aborted', async () => {
    const { locks, die } = await withFault({ on: 'write', at: 0, when: 'before', how: 'die' })
    await locks.take(KEY)
    const controller = new AbortController()
    const waits = locks.take(KEY, { signal: controller.signal }).catch((error: unknown) => error)
    await until(async () => (await locks.size()) === 2)
    die()
    controller.abort(new Error('enough'))
    expect(String(await waits)).toContain('enough')
  })
})
