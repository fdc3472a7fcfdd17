import { describe, expect, it } from 'vitest'
import {
  toJsonValue,
  wantedTypes,
} from '../../../../../src/sources/tool-file/transports/database/json-value.js'

const NUMBER = { name: 'n', type: 'numeric', isNumber: true }
const OTHER = { name: 't', type: 'text' }
const wanted = (...types: string[]) => wantedTypes({ type: types })

describe('a value of a column as JSON', () => {
  it.each([
    ['12.50', 12.5],
    ['-0.10', -0.1],
    ['1e3', 1000],
    ['100', 100],
    ['0.000', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', '9007199254740993'],
    ['0.12345678901234567890', '0.12345678901234567890'],
    ['1e400', '1e400'],
    ['NaN', 'NaN'],
    ['', ''],
  ])('the number %s is %s', (text, value) => {
    expect(toJsonValue(text, NUMBER, undefined)).toBe(value)
  })

  it.each([
    ['5', OTHER, ['integer'], 5],
    ['x', OTHER, ['integer'], 'x'],
    ['9007199254740993', NUMBER, ['number'], 9007199254740992],
    ['12.50', NUMBER, ['string'], '12.50'],
    [12, OTHER, ['string'], '12'],
    [1, OTHER, ['boolean'], true],
    ['0', OTHER, ['boolean'], false],
    ['t', OTHER, ['boolean'], true],
    [2, OTHER, ['boolean'], 2],
    [true, OTHER, ['integer'], 1],
    ['{"a":1}', OTHER, ['object', 'null'], { a: 1 }],
    ['[1]', OTHER, ['array'], [1]],
    ['{"a":1}', OTHER, ['string'], '{"a":1}'],
    ['{', OTHER, ['object'], '{'],
    [{ a: 1 }, OTHER, ['string'], '{"a":1}'],
    [null, OTHER, ['integer'], null],
  ])('%j of %j as %j is %j', (value, column, types, expected) => {
    expect(toJsonValue(value, column, wanted(...types))).toEqual(expected)
  })

  it.each([
    [9n, 9],
    [2n ** 60n, String(2n ** 60n)],
    [Buffer.from([0, 255]), 'AP8='],
    [new Date('2024-01-31T10:00:00Z'), '2024-01-31T10:00:00.000Z'],
    [new Date(Number.NaN), null],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [
      [1n, Buffer.from('a')],
      [1, 'YQ=='],
    ],
    [{ a: { b: 2n } }, { a: { b: 2 } }],
    [undefined, null],
  ])('%s of a library', (value, expected) => {
    expect(toJsonValue(value, OTHER, undefined)).toEqual(expected)
  })
})
