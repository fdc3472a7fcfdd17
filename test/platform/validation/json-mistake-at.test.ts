import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonMistakeAt } from '../../../src/platform/json/json-mistake-at.js'

it.each([
  ['', 0],
  ['  ', 2],
  ['nope', 0],
  ['{bad}', 1],
  ['{"a": nope}', 6],
  ['{"a": 1,}', 8],
  ['{"a" 1}', 5],
  ['{"a": 1 "b": 2}', 8],
  ['[1, 2', 5],
  ['[1,, 2]', 3],
  ['[1}', 2],
  ['[]]', 2],
  ['{} {}', 3],
  ['"open', 0],
  ['["tab\\t", "bad\t"]', 10],
  ['[01]', 2],
  ["{'a': 1}", 1],
])('%j stops being JSON where it does', (text, at) => {
  expect(jsonMistakeAt(text)).toBe(at)
})

it('all of a JSON text is JSON, and a stray character in it is found at or before its position', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, place) => {
      expect(jsonMistakeAt(text)).toBe(text.length)
      const at = place % (text.length + 1)
      const broken = `${text.slice(0, at)}\u0007${text.slice(at)}`
      expect(jsonMistakeAt(broken)).toBeLessThanOrEqual(at)
    }),
  )
})

it('does not run out of stack', () => {
  expect(jsonMistakeAt(`${'['.repeat(100_000)}x`)).toBe(100_000)
  expect(jsonMistakeAt(`["${'a'.repeat(20_000_000)}", x]`)).toBe(20_000_005)
})
