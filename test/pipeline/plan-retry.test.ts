import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorClasses } from 'toolcrib/contract'
import { planRetry, type FailedAttempt } from '../../src/pipeline/execute/plan-retry.js'
import { toolError } from '../../src/pipeline/failures/tool-error.js'
import { resolveRetries } from '../../src/catalog/resolve-retries.js'

const pace = { max: 5, baseMs: 100, maxMs: 1000 }

function plan(more: Partial<FailedAttempt> = {}) {
  return planRetry({
    attempt: 1,
    error: toolError('dependency_unavailable', { message: 'Nobody answers.' }),
    mayRepeat: true,
    pace,
    leftMs: Number.POSITIVE_INFINITY,
    random: () => 0,
    ...more,
  })
}

describe('the wait before another attempt', () => {
  it('doubles from the base up to the maximum; at most half of it is random', () => {
    const shortest = [1, 2, 3, 4, 5].map((attempt) => plan({ attempt, random: () => 0 })!.waitMs)
    const longest = [1, 2, 3, 4, 5].map((attempt) => plan({ attempt, random: () => 1 })!.waitMs)
    expect(shortest).toEqual([50, 100, 200, 400, 500])
    expect(longest).toEqual([100, 200, 400, 800, 1000])
  })

  it('is within its bounds for any random number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 1, max: 100_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, baseMs, maxMs, chance) => {
          const found = plan({ attempt, pace: { max: attempt, baseMs, maxMs }, random: () => chance })!
          expect(found.waitMs).toBeGreaterThan(0)
          expect(found.waitMs).toBeLessThanOrEqual(maxMs)
          expect(Number.isInteger(found.waitMs)).toBe(true)
        },
      ),
    )
  })

  it.each([
    ['shorter than the pace', 0.02, 50],
    ['longer than the pace', 0.7, 700],
    ['of the longest wait', 1, 1000],
    ['too long', 1.001, undefined],
    ['of the past', -5, 50],
  ])('respects a retry_after: %s', (_what, retryAfter, waitMs) => {
    const error = toolError('rate_limited', { message: 'Slow down.', retryAfter })
    expect(plan({ error })?.waitMs).toBe(waitMs)
  })

  it('must end before the caller’s deadline', () => {
    expect(plan({ leftMs: 51 })).toEqual({ waitMs: 50 })
    expect(plan({ leftMs: 50 })).toBeUndefined()
    expect(plan({ leftMs: -1 })).toBeUndefined()
  })
})

describe('another attempt follows', () => {
  it('only while attempts are left', () => {
    expect(plan({ attempt: 5 })).toBeDefined()
    expect(plan({ attempt: 6 })).toBeUndefined()
    expect(plan({ pace: { ...pace, max: 0 } })).toBeUndefined()
  })

  it('only after an error that may not recur', () => {
    const retried = errorClasses.filter((errorClass) =>
      plan({ error: toolError(errorClass, { message: 'It failed.' }) }),
    )
    expect(retried.sort()).toEqual(['dependency_unavailable', 'execution_failed', 'rate_limited', 'timeout'])
  })

  it('only if the tool or the error says that repeating is safe', () => {
    const failed = (retrySafe?: boolean) =>
      toolError('execution_failed', { message: 'It failed.', retrySafe })
    expect(plan({ mayRepeat: false, error: failed() })).toBeUndefined()
    expect(plan({ mayRepeat: false, error: failed(false) })).toBeUndefined()
    expect(plan({ mayRepeat: false, error: failed(true) })).toBeDefined()
    expect(plan({ mayRepeat: true, error: failed() })).toBeDefined()
  })
})

describe('the retries of call, tool and crib are merged', () => {
  it.each([
    [[], { max: 0, baseMs: 250, maxMs: 30_000 }],
    [[undefined, 2, 5], { max: 2, baseMs: 250, maxMs: 30_000 }],
    [[0, { max: 3, baseMs: 10 }], { max: 0, baseMs: 10, maxMs: 30_000 }],
    [
      [
        { max: 1, maxMs: 7 },
        { max: 3, baseMs: 10 },
      ],
      { max: 1, baseMs: 10, maxMs: 7 },
    ],
    [[{ max: 1, baseMs: 60_000 }], { max: 1, baseMs: 60_000, maxMs: 60_000 }],
  ])('%j', (said, found) => expect(resolveRetries(said)).toEqual(found))
})
