import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeHeaderValue, encodeHeaderValue } from '../../../src/sources/mcp/protocol/headers.js'
import { headerFields, paramHeaders } from '../../../src/sources/mcp/header-fields.js'

const marked = (type: string, name: unknown) => ({ type, 'x-mcp-header': name })

test('marked fields become headers, absent and null ones do not', () => {
  const schema = {
    type: 'object',
    properties: {
      region: marked('string', 'Region'),
      nested: { type: 'object', properties: { deep: marked('integer', 'Deep') } },
      flag: marked('boolean', 'Flag'),
      gone: marked('string', 'Gone'),
    },
  }
  const args = { region: 'Zürich', nested: { deep: 4 }, flag: false, gone: null }
  expect(paramHeaders(schema, args)).toEqual({
    'mcp-param-region': '=?base64?WsO8cmljaA==?=',
    'mcp-param-deep': '4',
    'mcp-param-flag': 'false',
  })
})

test.each([
  ['on an array', { properties: { a: marked('array', 'A') } }],
  ['on a number', { properties: { a: marked('number', 'A') } }],
  ['with an empty name', { properties: { a: marked('string', '') } }],
  ['with a name of two lines', { properties: { a: marked('string', 'A\r\nB: c') } }],
  ['twice', { properties: { a: marked('string', 'A'), b: marked('string', 'a') } }],
  ['inside a choice', { properties: { a: { anyOf: [marked('string', 'A')] } } }],
  ['inside items', { properties: { a: { type: 'array', items: marked('string', 'A') } } }],
  ['on the schema itself', marked('string', 'A')],
])('a mark %s is invalid', (_, schema) => {
  expect(headerFields(schema).kind).toBe('invalid')
})

test('a default that looks like a mark is no mark', () => {
  const schema = { properties: { a: { type: 'object', default: { 'x-mcp-header': 'A' } } } }
  expect(headerFields(schema)).toEqual({ kind: 'fields', fields: [] })
})

test('every text survives encoding in a header, and the header is plain ASCII', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const value = encodeHeaderValue(text)
      expect(value).toMatch(/^[\t\x20-\x7e]+$/)
      expect(decodeHeaderValue(value)).toBe(Buffer.from(text).toString())
    }),
  )
  expect(encodeHeaderValue('=?base64?eA==?=')).not.toBe('=?base64?eA==?=')
  expect(decodeHeaderValue('=?base64?%%%?=')).toBeUndefined()
})
