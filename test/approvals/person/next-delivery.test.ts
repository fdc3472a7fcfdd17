import { describe, expect, it } from 'vitest'
import { MAX_ATTEMPTS, nextDelivery } from '../../../src/crib/approvals/deliveries/next-delivery.js'

const created_at = '2026-01-01T00:00:00.000Z'
const start = Date.parse(created_at)
const announce = () => undefined

describe('the next delivery of an open question', () => {
  it('is none without a channel and without reminders', () => {
    expect(nextDelivery({ created_at }, { record: {} }, {})).toBeUndefined()
  })

  it('is the announcement, at once, and then with growing waits', () => {
    const waits = [0, 1, 2, 3, 4].map((attempts) => {
      const next = nextDelivery({ created_at }, { record: { attempts }, triedAt: start }, { announce })
      expect(next).toMatchObject({ kind: 'announce', attempt: attempts + 1 })
      return attempts === 0 ? next!.at : next!.at - start
    })
    expect(waits).toEqual([0, 1_000, 4_000, 16_000, 64_000])
    const record = { attempts: MAX_ATTEMPTS, problem: 'no network' }
    expect(nextDelivery({ created_at }, { record }, { announce })).toBeUndefined()
  })

  it('is a reminder, counted from the last one', () => {
    const remindMs = 60_000
    const announced = { announced_at: created_at, attempts: 1 }
    expect(nextDelivery({ created_at }, { record: announced }, { announce, remindMs })).toEqual({
      kind: 'remind',
      at: start + remindMs,
      reminder: 1,
    })
    const record = { ...announced, reminders: 2, reminded_at: '2026-01-01T10:00:00.000Z' }
    expect(nextDelivery({ created_at }, { record }, { announce, remindMs })).toEqual({
      kind: 'remind',
      at: Date.parse('2026-01-01T10:01:00.000Z'),
      reminder: 3,
    })
  })

  it('is the reminder if the next attempt to announce comes later', () => {
    const found = { record: { attempts: 4 }, triedAt: start }
    expect(nextDelivery({ created_at }, found, { announce, remindMs: 5_000 })).toMatchObject({
      kind: 'remind',
    })
  })
})
