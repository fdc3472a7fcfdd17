import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePlainJson } from '../../src/foundation/config/parse-plain-json.js'

test('reads whatever JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parsePlainJson(text)).toEqual(JSON.parse(text))
    }),
    { numRuns: 1000 },
  )
})

test.each([
  '{"a": 1, "a": 2}',
  '[{"b": {"a": 1, "\\u0061": 2}}]',
  '{"a\\": ": 1, "a\\": " : 2}',
  '{"a": 1,}',
  '{"a": 1} x',
  '# {}',
  '',
])('leaves to the other parser: %s', (text) => expect(parsePlainJson(text)).toBeUndefined())

test('quotes, colons and backslashes inside strings are no keys', () => {
  const value = { 'a": "': '": {"b": 1}', '\\': '\\":', c: ['d": ', '":'] }
  expect(parsePlainJson(JSON.stringify(value))).toEqual(value)
})
