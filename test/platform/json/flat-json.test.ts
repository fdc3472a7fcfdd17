import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flatJson } from '../../../src/platform/json/flat-json.js'

describe('the JSON of a record of numbers and booleans', () => {
  it('is what JSON.stringify writes, whatever the names and numbers are', () => {
    const member = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean())
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), member), (members) => {
        // With the prototype of plain objects: fast-check also makes records without one.
        const record = Object.fromEntries(Object.entries(members))
        expect(flatJson(record)).toBe(JSON.stringify(record))
      }),
    )
  })

  it.each([
    ['no members', {}],
    ['negative zero', { zero: -0 }],
    ['the names of array places', { 2: 1, 1: 2, b: 3, a: 4 }],
    ['a quote in a name', { 'a"b\\\n': 1 }],
    ['half of a surrogate pair in a name', { '\ud800': true }],
    ['a name that is too long to be remembered', { ['n'.repeat(70)]: 1 }],
  ])('writes a record with %s as JSON.stringify does', (_, record) => {
    expect(flatJson(record)).toBe(JSON.stringify(record))
  })

  it('remembers only so many names', () => {
    for (let index = 0; index < 2000; index++)
      expect(flatJson({ [`name ${index}`]: index })).toBe(`{"name ${index}":${index}}`)
    expect(flatJson({ 'name 0': 1 })).toBe('{"name 0":1}')
  })

  it.each([
    ['a text', { a: 'b' }],
    ['null', { a: null }],
    ['a member without a value', { a: undefined }],
    ['NaN', { a: Number.NaN }],
    ['infinity', { a: Number.POSITIVE_INFINITY }],
    ['a big integer', { a: 1n }],
    ['another record', { a: {} }],
    ['a list', [1, 2]],
    ['a date', new Date(0)],
    [
      'a class',
      new (class Point {
        x = 1
      })(),
    ],
    ['a toJSON of its own', { a: 1, toJSON: () => 'other' }],
    ['no prototype', Object.assign(Object.create(null), { a: 1 })],
    ['an inherited member', Object.create({ a: 1 })],
  ])('leaves a value with %s to JSON.stringify', (_, value) => {
    expect(flatJson(value as object)).toBeUndefined()
  })
})
