import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../../../src/contract/json-schema.js'
import { breakingChanges } from '../../../../src/sources/tool-file/lock/breaking-changes.js'
import { compareVersions, raised } from '../../../../src/sources/tool-file/lock/compare-versions.js'

const text = { type: 'string' }
const object = (properties: object, rest: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...rest,
})

/** Before, after, whether that breaks the input, and the output. */
const CASES: [string, object, object, boolean, boolean][] = [
  ['nothing', object({ a: text }), object({ a: text }), false, false],
  [
    'a description',
    object({ a: text }),
    object({ a: { ...text, description: 'A', default: 'x' } }),
    false,
    false,
  ],
  ['a removed field', object({ a: text, b: text }), object({ a: text }), true, true],
  ['a new optional field', object({ a: text }), object({ a: text, b: text }), false, false],
  [
    'a new required field',
    object({ a: text }),
    object({ a: text, b: text }, { required: ['b'] }),
    true,
    false,
  ],
  [
    'a field that is now required',
    object({ a: text }),
    object({ a: text }, { required: ['a'] }),
    true,
    false,
  ],
  [
    'a field that is now optional',
    object({ a: text }, { required: ['a'] }),
    object({ a: text }),
    false,
    true,
  ],
  ['a narrower type', object({ a: { type: ['string', 'null'] } }), object({ a: text }), true, false],
  ['a wider type', object({ a: text }), object({ a: { type: ['string', 'null'] } }), false, true],
  ['integer to number', object({ a: { type: 'integer' } }), object({ a: { type: 'number' } }), false, true],
  ['number to integer', object({ a: { type: 'number' } }), object({ a: { type: 'integer' } }), true, false],
  ['any type to text', object({ a: {} }), object({ a: text }), true, false],
  ['another type', object({ a: text }), object({ a: { type: 'integer' } }), true, true],
  ['a new enum', object({ a: text }), object({ a: { ...text, enum: ['x'] } }), true, false],
  ['a smaller enum', object({ a: { enum: ['x', 'y'] } }), object({ a: { enum: ['y'] } }), true, false],
  ['a larger enum', object({ a: { enum: ['x'] } }), object({ a: { enum: ['x', 'y'] } }), false, true],
  ['enum to const', object({ a: { enum: ['x', 'y'] } }), object({ a: { const: 'x' } }), true, false],
  [
    'a new minimum',
    object({ a: { type: 'number' } }),
    object({ a: { type: 'number', minimum: 0 } }),
    true,
    false,
  ],
  ['a lower maximum', object({ a: { maximum: 5 } }), object({ a: { maximum: 4 } }), true, false],
  ['a higher maximum', object({ a: { maximum: 4 } }), object({ a: { maximum: 5 } }), false, true],
  ['minLength 0', object({ a: text }), object({ a: { ...text, minLength: 0 } }), false, false],
  ['minLength 1', object({ a: text }), object({ a: { ...text, minLength: 1 } }), true, false],
  ['a pattern', object({ a: text }), object({ a: { ...text, pattern: 'a' } }), true, false],
  ['another pattern', object({ a: { pattern: 'a' } }), object({ a: { pattern: 'b' } }), true, true],
  ['no format any more', object({ a: { format: 'date' } }), object({ a: {} }), false, true],
  ['multipleOf 2 to 4', object({ a: { multipleOf: 2 } }), object({ a: { multipleOf: 4 } }), true, false],
  ['unique items', object({ a: {} }), object({ a: { uniqueItems: true } }), true, false],
  ['closed', object({}), object({}, { additionalProperties: false }), true, false],
  ['opened', object({}, { additionalProperties: false }), object({}), false, true],
  ['a schema for other fields', object({}), object({}, { additionalProperties: text }), true, false],
  [
    'deep in lists',
    object({ a: { type: 'array', items: object({ b: text }) } }),
    object({ a: { type: 'array', items: object({ b: { ...text, maxLength: 1 } }) } }),
    true,
    false,
  ],
  [
    'one more alternative',
    object({ a: { anyOf: [text] } }),
    object({ a: { anyOf: [text, {}] } }),
    false,
    true,
  ],
  [
    'one alternative less',
    object({ a: { oneOf: [text, {}] } }),
    object({ a: { oneOf: [text] } }),
    true,
    false,
  ],
  [
    'another allOf',
    object({ a: { allOf: [text] } }),
    object({ a: { allOf: [{ minLength: 1 }] } }),
    true,
    true,
  ],
  ['nothing allowed', object({ a: true }), object({ a: false }), true, false],
  ['a field called properties', object({ properties: text }), object({ properties: {} }), false, true],
]

describe('breaking changes of schemas', () => {
  it.each(CASES)('%s', (_, before, after, input, output) => {
    expect(breakingChanges(before as JsonSchema, after as JsonSchema, 'input').length > 0).toBe(input)
    expect(breakingChanges(before as JsonSchema, after as JsonSchema, 'output').length > 0).toBe(output)
  })

  it('say the field and where it is', () => {
    const before = object({ a: object({ b: text }) })
    expect(breakingChanges(before, object({ a: object({}) }), 'input')).toEqual([
      { path: ['properties', 'a', 'properties'], message: '"input.a.b" is removed' },
    ])
    expect(breakingChanges(before, object({ a: object({ b: { ...text, maxLength: 3 } }) }), 'input')).toEqual(
      [
        {
          path: ['properties', 'a', 'properties', 'b', 'maxLength'],
          message: '"input.a.b" accepts less than before (maxLength)',
        },
      ],
    )
  })
})

describe('the order of versions', () => {
  // The order that semver.org gives as an example, and more.
  const ordered = [
    '0.9.0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.10',
    '1.2.0',
    '10.0.0',
  ]
  it('is that of semantic versions', () => {
    for (const [index, left] of ordered.entries())
      for (const [other, right] of ordered.entries())
        expect(Math.sign(compareVersions(left, right)), `${left} and ${right}`).toBe(Math.sign(index - other))
    expect(compareVersions('1.0.0+a', '1.0.0+b')).toBe(0)
    expect([raised('1.2.3-rc.1', 'major'), raised('1.2.3', 'patch')]).toEqual(['2.0.0', '1.2.4'])
  })
})
