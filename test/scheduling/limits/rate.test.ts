import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dueAfter, usedOf, waitMsFor, type Rate } from '../../../src/scheduling/limits/rate.js'

const START = Date.UTC(2026, 0, 1)

const rates = fc.record({
  perMinute: fc.integer({ min: 1, max: 5_000 }),
  burst: fc.integer({ min: 1, max: 50 }),
})
/** Some at the same time, some close together, some after a long pause. */
const gaps = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 90_000 })),
  { maxLength: 200 },
)

/** The admitted calls, of callers that come at these times and do not wait. */
function admitted(rate: Rate, times: readonly number[]): number[] {
  let dueAt: number | undefined
  return times.filter((now) => {
    if (waitMsFor(dueAt, rate, now) > 0) return false
    dueAt = dueAfter(dueAt, rate, now)
    return true
  })
}

function timesOf(pauses: readonly number[]): number[] {
  let now = START
  return pauses.map((gap) => (now += gap))
}

describe('a rate', () => {
  it('allows at most a burst and one call for each full interval in any period', () => {
    fc.assert(
      fc.property(rates, gaps, (rate, pauses) => {
        const times = admitted(rate, timesOf(pauses))
        const interval = 60_000 / rate.perMinute
        times.forEach((from, first) =>
          times.slice(first).forEach((until, more) => {
            expect(more + 1).toBeLessThanOrEqual(rate.burst + Math.floor((until - from) / interval))
          }),
        )
      }),
    )
  })

  it('with a burst of one, never exceeds the calls per minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), gaps, (perMinute, pauses) => {
        const times = admitted({ perMinute, burst: 1 }, timesOf(pauses))
        for (const from of times)
          expect(times.filter((time) => time >= from && time < from + 60_000).length).toBeLessThanOrEqual(
            perMinute,
          )
      }),
    )
  })

  it('returns the exact minimum wait', () => {
    fc.assert(
      fc.property(rates, gaps, (rate, pauses) => {
        let dueAt: number | undefined
        for (const now of timesOf(pauses)) {
          const waitMs = waitMsFor(dueAt, rate, now)
          expect(Number.isInteger(waitMs)).toBe(true)
          if (waitMs > 0) {
            expect(waitMsFor(dueAt, rate, now + waitMs)).toBe(0)
            expect(waitMsFor(dueAt, rate, now + waitMs - 1)).toBe(1)
          } else {
            dueAt = dueAfter(dueAt, rate, now)
          }
        }
      }),
    )
  })

  it('admits waiting calls at the configured rate', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 300 }), (rate, calls) => {
        let dueAt: number | undefined
        let now = START
        for (let call = 0; call < calls; call++) {
          now += waitMsFor(dueAt, rate, now)
          dueAt = dueAfter(dueAt, rate, now)
        }
        // The only loss comes from a clock of whole milliseconds.
        const least = Math.max(0, calls - rate.burst) * (60_000 / rate.perMinute)
        expect(now - START).toBeGreaterThanOrEqual(Math.floor(least))
        expect(now - START).toBeLessThanOrEqual(least + calls)
      }),
    )
  })

  it('returns a separate wait for each waiting call', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 60 }), (rate, comers) => {
        let dueAt: number | undefined
        for (let call = 0; call < rate.burst; call++) dueAt = dueAfter(dueAt, rate, START)
        const turns = Array.from({ length: comers }, (_, index) => waitMsFor(dueAt, rate, START, index))
        let now = START
        turns.forEach((turn, waiting) => {
          now = Math.max(now, START + turn)
          // Without a burst each comes a fraction of a millisecond late, and later ones may have to ask once more.
          const moreMs = waitMsFor(dueAt, rate, now)
          expect(moreMs).toBeLessThanOrEqual(rate.burst === 1 ? waiting : 0)
          now += moreMs
          dueAt = dueAfter(dueAt, rate, now)
        })
      }),
    )
  })

  it('returns how much of the burst is used, which recovers at the steady pace', () => {
    const rate = { perMinute: 60, burst: 10 }
    let dueAt: number | undefined
    expect(usedOf(dueAt, rate, START)).toBe(0)
    for (let call = 1; call <= 10; call++) {
      dueAt = dueAfter(dueAt, rate, START)
      expect(usedOf(dueAt, rate, START)).toBe(call)
    }
    expect(usedOf(dueAt, rate, START + 1_000)).toBe(9)
    expect(usedOf(dueAt, rate, START + 9_001)).toBe(1)
    expect(usedOf(dueAt, rate, START + 10_000)).toBe(0)
  })

  it('is corrected by one call after the clock was set back', () => {
    const rate = { perMinute: 60, burst: 5 }
    const tomorrow = START + 86_400_000
    expect(waitMsFor(tomorrow, rate, START)).toBe(0)
    const dueAt = dueAfter(tomorrow, rate, START)
    expect(waitMsFor(dueAt, rate, START)).toBe(1_000)
    // A small difference is accepted: the clock of another machine may be ahead.
    expect(waitMsFor(START + 60_000, rate, START)).toBe(56_000)
  })
})
