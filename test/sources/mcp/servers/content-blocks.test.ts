import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentClasses } from '../../../../src/contract/unions.js'
import { fromMcpBlock, toMcpBlock } from '../../../../src/sources/mcp/content-blocks.js'

const types = [
  'text',
  'image',
  'audio',
  'resource_link',
  'resource',
  'structured_content',
  'video',
  'tool_use',
]
const names =
  'text data mimeType uri name title description size resource annotations _meta icons media_type size_bytes toolcrib ref digest redaction_state other'.split(
    ' ',
  )
const value = fc.oneof(fc.string(), fc.integer(), fc.constant({ a: [1] }), fc.constant(null))
const anyBlock = fc
  .tuple(fc.constantFrom(...types), fc.dictionary(fc.constantFrom(...names), value))
  .map(([type, members]) => ({ ...members, type }))

test('every block is restored unchanged', () => {
  fc.assert(
    fc.property(fc.oneof(anyBlock, fc.jsonValue()), (block) => {
      const ours = fromMcpBlock(block)
      expect(contentClasses).toContain(ours.type)
      expect(toMcpBlock(JSON.parse(JSON.stringify(ours)))).toEqual(JSON.parse(JSON.stringify(block)))
    }),
    { numRuns: 2000 },
  )
})

test('the usual blocks have the names of the record format', () => {
  expect(fromMcpBlock({ type: 'image', data: 'AA==', mimeType: 'image/png', _meta: { a: 1 } })).toEqual({
    type: 'image',
    data: 'AA==',
    media_type: 'image/png',
    _meta: { a: 1 },
  })
  expect(fromMcpBlock({ type: 'resource_link', uri: 'a:b', name: 'b', size: 3, icons: [] })).toEqual({
    type: 'resource_link',
    uri: 'a:b',
    name: 'b',
    size_bytes: 3,
    icons: [],
  })
  expect(fromMcpBlock({ type: 'resource', resource: { uri: 'a:b', text: 'c' } })).toEqual({
    type: 'embedded_resource',
    resource: { uri: 'a:b', text: 'c' },
  })
  expect(fromMcpBlock({ type: 'new', x: 1 })).toEqual({
    type: 'structured_content',
    toolcrib: { mcp: { type: 'new', x: 1 } },
  })
})

test('members that Toolcrib adds to a block do not reach the client', () => {
  const kept = { uri: 'toolcrib://r/1', size_bytes: 1, digest: 'sha256:0', redaction_state: 'none' } as const
  const image = { type: 'image', data: 'AA==', media_type: 'image/png' } as const
  expect(toMcpBlock({ ...image, ...kept })).toEqual({ type: 'image', data: 'AA==', mimeType: 'image/png' })
  const { data: _, ...slim } = image
  expect(toMcpBlock({ ...slim, ...kept })).toEqual({
    type: 'resource_link',
    uri: 'toolcrib://r/1',
    name: 'toolcrib://r/1',
    mimeType: 'image/png',
    size: 1,
  })
})
