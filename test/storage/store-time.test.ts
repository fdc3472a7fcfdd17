import { afterEach, describe, expect, it } from 'vitest'
import { createCrib, defineTool, memoryStore, type Crib, type CribOptions } from 'toolcrib'
import { documentsOf } from './make-records.js'

const HOUR = 60 * 60 * 1000

describe('the time of a crib', () => {
  let crib: Crib | undefined

  afterEach(async () => {
    await crib?.close({ graceMs: 0 })
    crib = undefined
  })

  /** When the crib's lease ends, and when a question that it asks now expires. */
  async function endsOf(options: CribOptions): Promise<{ lease: number; approval: number; asked: number }> {
    crib = await createCrib({
      ...options,
      tools: [defineTool({ name: 'write', description: 'Writes.', execute: () => 'written' })],
      reviewers: ['ann'],
      approvals: { expiresMs: HOUR },
      sealKey: Buffer.alloc(32),
      permission: { ask: ['write'] },
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'write' })
    call.catch(() => {})
    const pending = (await call.pending())!
    const [owner] = await documentsOf(crib.store, 'toolcrib.system', 'owner')
    return {
      lease: (owner!.value as { leaseUntil: number }).leaseUntil,
      approval: Date.parse(pending.expires_at),
      asked: Date.parse(pending.created_at),
    }
  }

  const AT = Date.UTC(2031, 4, 1)

  it('is that of its store, so that leases and expiry mean the same to all processes that share it', async () => {
    const { lease, approval, asked } = await endsOf({ store: { ...memoryStore(), now: () => AT } })
    expect(lease).toBe(AT + 15_000)
    expect(asked).toBe(AT)
    expect(approval).toBe(AT + HOUR)
  })

  it('is that of a given clock instead', async () => {
    const store = { ...memoryStore(), now: () => AT + 5 * HOUR }
    const { lease, approval } = await endsOf({ store, clock: () => AT + 0.5 })
    expect(lease).toBe(AT + 15_000)
    expect(approval).toBe(AT + HOUR)
  })
})
