import { describe, expect, it } from 'vitest'
import type { CompiledOperation } from '../../../../src/sources/openapi/compiled.js'
import { accepts, compileOne } from './compile.js'

type JsonObject = Readonly<Record<string, unknown>>

const json = (schema: unknown): JsonObject => ({ content: { 'application/json': { schema } } })

async function withResponses(responses: JsonObject, document: JsonObject = {}): Promise<CompiledOperation> {
  return compileOne({ responses }, document)
}

describe('the output', () => {
  it.each<[string, JsonObject, unknown]>([
    ['of 200', { 200: json({ type: 'string' }), 400: json({ type: 'integer' }) }, { type: 'string' }],
    ['of a range', { '2XX': json({ type: 'string' }) }, { type: 'string' }],
    ['of default alone', { default: json({ type: 'string' }) }, { type: 'string' }],
    ['not of default beside a success', { 204: {}, default: json({ type: 'string' }) }, undefined],
    [
      'of several codes',
      { 200: json({ type: 'string' }), 202: json({ type: 'integer' }) },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    [
      'of several codes with one schema',
      { 200: json({ type: 'string' }), 201: json({ type: 'string' }) },
      { type: 'string' },
    ],
    [
      'of any media type',
      { 200: { content: { '*/*': { schema: { type: 'string' } } } } },
      { type: 'string' },
    ],
    ['not of XML', { 200: { content: { 'application/xml': { schema: { type: 'object' } } } } }, undefined],
    ['not without a schema', { 200: json(undefined) }, undefined],
    ['not of a schema that says nothing', { 200: json({}) }, undefined],
    ['not of nothing', { 200: null, 201: 'x', 202: [] }, undefined],
  ])('is that %s', async (_, responses, expected) => {
    expect((await withResponses(responses)).output).toEqual(expected)
  })

  it('comes from references, also of responses', async () => {
    const { output } = await withResponses(
      { 200: { $ref: '#/components/responses/Thing' } },
      {
        components: {
          responses: { Thing: json({ $ref: '#/components/schemas/Thing' }) },
          schemas: {
            Thing: { type: 'object', properties: { self: { $ref: '#/components/schemas/Thing' } } },
          },
        },
      },
    )
    expect(output).toMatchObject({ $ref: '#/$defs/Thing' })
    expect(accepts(output!, { self: { self: {} } })).toBe(true)
    expect(accepts(output!, { self: 7 })).toBe(false)
  })
})

describe('media types of responses', () => {
  it('come with JSON first, so that it is asked for first', async () => {
    const content = {
      'application/xml': {},
      'text/csv': {},
      'application/json': {},
      'application/hal+json': {},
    }
    const { response } = await withResponses({ 200: { content }, 400: { content: { 'text/html': {} } } })
    expect(response.mediaTypes).toEqual([
      'application/json',
      'application/hal+json',
      'application/xml',
      'text/csv',
    ])
  })

  it('are those that an operation or a document of 2.0 produces', async () => {
    const swagger = { openapi: undefined, swagger: '2.0', produces: ['application/xml', 'application/json'] }
    const responses = { 200: { schema: { type: 'string' } } }
    expect((await compileOne({ responses }, swagger)).response.mediaTypes).toEqual([
      'application/json',
      'application/xml',
    ])
    const own = await compileOne({ responses, produces: ['text/plain'] }, swagger)
    expect(own).toMatchObject({ response: { mediaTypes: ['text/plain'] }, output: undefined })
    const none = await compileOne({ responses }, { ...swagger, produces: undefined })
    expect(none).toMatchObject({
      response: { mediaTypes: ['application/json'] },
      output: { type: 'string' },
    })
  })

  it('a file of 2.0 has no schema', async () => {
    const { output, response } = await compileOne(
      { responses: { 200: { schema: { type: 'file' } } } },
      { openapi: undefined, swagger: '2.0' },
    )
    expect(output).toBeUndefined()
    expect(response.mediaTypes).toEqual(['application/octet-stream'])
  })
})
