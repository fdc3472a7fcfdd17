import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../src/platform/json/canonical-json.js'

/** The definition: the JSON of a copy whose keys are sorted. */
function byCopy(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? 'null'
}

function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.keys(value)
    .sort()
    .map((key): [string, unknown] => [key, sorted((value as Record<string, unknown>)[key])])
  return Object.fromEntries(entries)
}

describe('canonical JSON', () => {
  it('has sorted keys, whatever their order', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: 'x' })).toBe('{"a":"x","b":[{"c":2,"d":1}]}')
    expect(canonicalJson({ a: 'x', b: [{ c: 2, d: 1 }] })).toBe('{"a":"x","b":[{"c":2,"d":1}]}')
  })

  it.each([
    [{ 10: 'ten', 9: 'nine', '01': 'text', a: 1 }, '{"9":"nine","10":"ten","01":"text","a":1}'],
    [{ a: undefined, b: () => 1, c: Symbol('c') }, '{}'],
    [[undefined, () => 1, null], '[null,null,null]'],
    [undefined, 'null'],
    [[Number.NaN, -0, 1e21], '[null,0,1e+21]'],
    ['"\\\n\u0000\ud800 😀', '"\\"\\\\\\n\\u0000\\ud800 😀"'],
    [JSON.parse('{"b":1,"__proto__":2}'), '{"__proto__":2,"b":1}'],
  ])('writes %o as JSON does', (value, text) => {
    expect(canonicalJson(value)).toBe(text)
    expect(byCopy(value)).toBe(text)
  })

  it('is the JSON of a copy with sorted keys, for every value', () => {
    const key = fc.oneof(fc.string({ unit: 'binary' }), fc.nat(20).map(String))
    fc.assert(
      fc.property(fc.anything({ key, withNullPrototype: true }), (value) => {
        expect(canonicalJson(value)).toBe(byCopy(value))
      }),
    )
    fc.assert(
      fc.property(fc.dictionary(key, fc.boolean(), { minKeys: 10, maxKeys: 30 }), (value) => {
        expect(canonicalJson(value)).toBe(byCopy(value))
      }),
    )
  })
})
