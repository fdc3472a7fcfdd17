import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPool } from '../../../../../src/sources/tool-file/transports/database/pool.js'
import type { Session } from '../../../../../src/sources/tool-file/transports/database/session.js'

interface FakeSession extends Session {
  isAlive: boolean
  wasClosed: boolean
}

function fakeSession(): FakeSession {
  const session = {
    isAlive: true,
    wasClosed: false,
    isOpen: () => session.isAlive,
    close: async () => void (session.wasClosed = true),
  }
  return session as unknown as FakeSession
}

function openPool(maxConnections = 2) {
  const opened: FakeSession[] = []
  const failing: { error: unknown } = { error: undefined }
  const pool = createPool({
    maxConnections,
    idleMs: 1000,
    async connect() {
      if (failing.error !== undefined) throw failing.error as Error
      const session = fakeSession()
      opened.push(session)
      return session
    },
  })
  const signal = new AbortController().signal
  const acquire = (options = {}) => pool.acquire({ signal, waitMs: 100, ...options })
  return { pool, opened, failing, acquire }
}

describe('a pool of connections', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('uses a free connection again, and opens no more than the limit', async () => {
    const { pool, opened, acquire } = openPool()
    const [a, b] = [await acquire(), await acquire()]
    const waiting = acquire()
    pool.release(a!, true)
    expect(await waiting).toBe(a)
    pool.release(b!, true)
    expect(await acquire()).toBe(b)
    expect(opened.length).toBe(2)
  })

  it('gives nothing where no connection is free in time', async () => {
    const { acquire } = openPool(1)
    await acquire()
    const waiting = acquire()
    await vi.advanceTimersByTimeAsync(100)
    expect(await waiting).toBeUndefined()
  })

  it('stops waiting when the call is cancelled, and keeps a connection that comes too late', async () => {
    const { pool, opened, acquire } = openPool(1)
    const held = await acquire()
    const controller = new AbortController()
    const waiting = acquire({ signal: controller.signal })
    controller.abort(new Error('no'))
    await expect(waiting).rejects.toThrow('no')
    pool.release(held!, true)
    expect(await acquire()).toBe(held)
    expect(opened.length).toBe(1)
  })

  it('closes connections that are unusable, broken or idle for long', async () => {
    const { pool, opened, acquire } = openPool(3)
    const [a, b, c] = [await acquire(), await acquire(), await acquire()]
    pool.release(a!, false)
    pool.release(b!, true)
    opened[1]!.isAlive = false
    pool.release(c!, true)
    await vi.advanceTimersByTimeAsync(999)
    expect(opened.map(({ wasClosed }) => wasClosed)).toEqual([true, false, false])
    await vi.advanceTimersByTimeAsync(1)
    expect(opened.map(({ wasClosed }) => wasClosed)).toEqual([true, true, true])
    expect(await acquire()).toBe(opened[3])
  })

  it('a failed connection fails its call and leaves the place to the next', async () => {
    const { failing, acquire } = openPool(1)
    failing.error = new Error('refused')
    const [first, second] = [acquire(), acquire()]
    await expect(first).rejects.toThrow('refused')
    await expect(second).rejects.toThrow('refused')
    failing.error = undefined
    expect(await acquire()).toBeDefined()
  })

  it('closes all connections, also those in use', async () => {
    const { pool, opened, acquire } = openPool()
    const [, b] = [await acquire(), await acquire()]
    pool.release(b!, true)
    await pool.close()
    expect(opened.every(({ wasClosed }) => wasClosed)).toBe(true)
  })

  it('a retired pool closes its connections as calls end', async () => {
    const { pool, opened, acquire } = openPool()
    const held = await acquire()
    pool.retire()
    expect(opened[0]!.wasClosed).toBe(false)
    pool.release(held!, true)
    expect(opened[0]!.wasClosed).toBe(true)
  })
})
