import { expect, test } from 'vitest'
import { loadSchemaCompiler } from '../../../src/platform/validation/compile-schema.js'
import { patternCost } from '../../../src/platform/validation/pattern-cost.js'
import { withoutSlowPatterns } from '../../../src/platform/validation/without-slow-patterns.js'

test.each([
  ['^[a-z0-9-]+$', 1],
  ['^\\d{4}-\\d{2}-\\d{2}$', 0],
  ['^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$', 0],
  ['^-?\\d+(\\.\\d+)?$', 2],
  ['^(red|green|blue)$', 0],
  ['@', 1],
  ['^a|b$', 1],
  ['^\\p{L}+[\\]x]*$', 2],
])('the cost of %s is known', (pattern, degree) => {
  expect(patternCost(pattern)?.degree).toBe(degree)
})

test.each([
  '^(a+)+$',
  '^(a|a)*$',
  '^(a?){40}$',
  '(a*)*b',
  '^(?:\\w+\\s?)+$',
  '^(a)\\1$',
  '(?=a+)b',
  '(?<!x)y',
  'a?'.repeat(40),
  '(((a{100}){100}){100})',
  '(a',
  'a)',
])('the cost of %s cannot be told', (pattern) => {
  expect(patternCost(pattern)).toBeUndefined()
})

test('an untrusted schema is checked without patterns that could block the event loop', async () => {
  const { compile } = await loadSchemaCompiler()
  const schema = {
    type: 'object',
    properties: { slow: { type: 'string', pattern: '^(a+)+$' }, quick: { type: 'string', pattern: '^b+$' } },
    patternProperties: { '^(x+)+$': { type: 'number' } },
    additionalProperties: false,
  }
  expect(() => compile(schema, { isForeign: true })).toThrow('could take too long')
  const check = compile(withoutSlowPatterns(schema)!, { isForeign: true })
  expect(check({ slow: `${'a'.repeat(60)}b`, quick: 'bb', xx: 1 })).toMatchObject({ ok: true })
  expect(check({ slow: 7 })).toMatchObject({ ok: false })
  expect(check({ quick: 'c' })).toMatchObject({ ok: false })
  expect(withoutSlowPatterns({ not: { pattern: '^(a+)+$' } })).toBeUndefined()
  const safe = { pattern: '^b+$' }
  expect(withoutSlowPatterns(safe)).toBe(safe)
})

test('the cost of patterns is bounded for one value, however much there is to check', async () => {
  const { compile } = await loadSchemaCompiler()
  const schema = { type: 'array', items: { type: 'string', pattern: 'a+a+a+b$' } }
  const check = compile(schema, { isForeign: true })
  expect(check(['ab'])).toMatchObject({ ok: false })
  expect(check(['aaab'])).toMatchObject({ ok: true })
  expect(check(Array.from({ length: 1000 }, () => 'a'.repeat(20_000)))).toMatchObject({ ok: true })
  expect(check(['ab'])).toMatchObject({ ok: false })
})
