import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addToHistogram,
  mergeHistogram,
  quantileOf,
  type Histogram,
} from '../../../src/crib/statistics/histogram.js'

function histogramOf(values: readonly number[]): Histogram {
  const histogram: Histogram = []
  for (const value of values) addToHistogram(histogram, value)
  return histogram
}

const anyValues = fc.array(fc.integer({ min: 0, max: 2 ** 36 }), { minLength: 1, maxLength: 300 })

describe('a histogram', () => {
  it('finds each quantile within 5% of the exact value', () => {
    fc.assert(
      fc.property(anyValues, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
        const sorted = values.toSorted((a, b) => a - b)
        const exact = sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1]!
        const found = quantileOf(histogramOf(values), share)!
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * 0.05)
      }),
    )
  })

  it('gives the same quantiles merged as counted together', () => {
    fc.assert(
      fc.property(anyValues, anyValues, (some, others) => {
        const merged = histogramOf(some)
        mergeHistogram(merged, histogramOf(others))
        expect(merged).toEqual(histogramOf([...some, ...others]))
      }),
    )
  })

  it('is exact for small values, takes any number, and has no quantile without values', () => {
    expect(quantileOf(histogramOf([0, 1, 17, 31]), 1)).toBe(31)
    expect(quantileOf(histogramOf([3, 3, 4]), 0.5)).toBe(3)
    expect(quantileOf(histogramOf([-5]), 0.5)).toBe(0)
    expect(quantileOf(histogramOf([Number.MAX_SAFE_INTEGER]), 0.5)).toBeGreaterThan(2 ** 39)
    expect(quantileOf([], 0.5)).toBeUndefined()
  })
})
