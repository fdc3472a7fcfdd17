import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../../../src/contract/json-schema.js'
import type { CompiledOperation } from '../../../../src/sources/openapi/compiled.js'
import { accepts, compileOne } from './compile.js'

type JsonObject = Readonly<Record<string, unknown>>

async function withContent(content: JsonObject, document: JsonObject = {}): Promise<CompiledOperation> {
  return compileOne({ requestBody: { required: true, content } }, document)
}

function bodyIn({ input }: CompiledOperation): JsonSchema {
  return (input['properties'] as Record<string, JsonSchema>)['body']!
}

const BASE64 = { type: 'string', contentEncoding: 'base64' }
const FILE = {
  anyOf: [
    BASE64,
    {
      type: 'object',
      properties: { data: BASE64, filename: { type: 'string' }, content_type: { type: 'string' } },
      required: ['data'],
      additionalProperties: false,
    },
  ],
}

describe('the kinds of bodies', () => {
  const object = { type: 'object', properties: { a: { type: 'string' } } }
  const binary = { type: 'string', format: 'binary' }
  it.each([
    ['application/json', object, 'json'],
    ['application/vnd.api+json', object, 'json'],
    ['application/json; charset=utf-8', object, 'json'],
    ['text/json', object, 'json'],
    ['*/*', object, 'json'],
    ['*/*', binary, 'binary'],
    ['*/*', { type: 'string' }, 'text'],
    ['application/*', object, 'json'],
    ['application/*+json', object, 'json'],
    ['application/x-www-form-urlencoded', object, 'form'],
    ['multipart/form-data', object, 'multipart'],
    ['multipart/mixed', object, 'multipart'],
    ['text/plain', { type: 'string' }, 'text'],
    ['text/csv', {}, 'text'],
    ['application/xml', object, 'text'],
    ['application/soap+xml', object, 'text'],
    ['application/yaml', object, 'text'],
    ['application/x-ndjson', object, 'lines'],
    ['application/jsonl', object, 'lines'],
    ['application/octet-stream', binary, 'binary'],
    ['image/png', binary, 'binary'],
    ['image/*', {}, 'binary'],
    ['application/pdf', {}, 'binary'],
  ])('%s with %j is %s', async (mediaType, schema, kind) => {
    const { body } = await withContent({ [mediaType]: { schema } })
    expect(body!.contents).toMatchObject([{ mediaType, kind }])
    expect(body).toMatchObject({ isRequired: true, field: 'body', typeField: undefined })
  })

  it('a text shows its structure where nothing else does', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    expect(bodyIn(await withContent({ 'application/xml': { schema } }))).toEqual({
      type: 'string',
      description: 'A text of the type application/xml.',
      contentMediaType: 'application/xml',
      contentSchema: schema,
    })
    const both = bodyIn(await withContent({ 'application/xml': { schema }, 'application/json': { schema } }))
    expect(both).toEqual({
      anyOf: [schema, { type: 'string', description: 'A text of the type application/xml.' }],
    })
  })

  it('bytes are given in Base64', async () => {
    expect(
      bodyIn(await withContent({ 'image/png': { schema: { type: 'string', format: 'binary' } } })),
    ).toEqual({
      ...BASE64,
      description: 'Bytes of the type image/png, in Base64.',
    })
  })

  it('lines are one value or several', async () => {
    const item = { type: 'object', properties: { a: { type: 'integer' } } }
    const body = bodyIn(await withContent({ 'application/x-ndjson': { schema: item } }))
    for (const value of [{ a: 1 }, [{ a: 1 }, { a: 2 }]]) expect(accepts(body, value)).toBe(true)
    expect(accepts(body, [{ a: 'x' }])).toBe(false)
  })

  it('the items of a sequence can be described alone in 3.2', async () => {
    const content = { 'application/jsonl': { itemSchema: { type: 'integer' } } }
    expect(bodyIn(await withContent(content, { openapi: '3.2.0' }))).toEqual({
      type: 'array',
      items: { type: 'integer' },
    })
  })

  it('a media type can be a reference in 3.2', async () => {
    const { body, input } = await withContent(
      { 'application/json': { $ref: '#/components/mediaTypes/Thing' } },
      { openapi: '3.2.0', components: { mediaTypes: { Thing: { schema: { type: 'integer' } } } } },
    )
    expect(body!.contents).toHaveLength(1)
    expect(input).toMatchObject({ properties: { body: { type: 'integer' } } })
  })

  it('a media type without a value takes anything', async () => {
    const { body, input } = await withContent({ 'application/json': null })
    expect(body!.contents).toHaveLength(1)
    expect(input).toMatchObject({ properties: { body: {} } })
  })
})

describe('several media types', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  const typesOf = async (...mediaTypes: readonly string[]): Promise<string[]> => {
    const content = Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]))
    const { body, input } = await withContent(content)
    const types = body!.contents.map(({ mediaType }) => mediaType)
    const shown = (input['properties'] as Record<string, JsonSchema>)['content_type']
    expect(shown?.['enum']).toEqual(types.length > 1 ? types : undefined)
    return types
  }

  it('offers all of them, JSON first', async () => {
    expect(
      await typesOf(
        'text/csv',
        'application/xml',
        'application/vnd.x+json',
        'application/json',
        'multipart/form-data',
      ),
    ).toEqual([
      'application/json',
      'application/vnd.x+json',
      'text/csv',
      'application/xml',
      'multipart/form-data',
    ])
  })

  it('offers one name of plain JSON', async () => {
    expect(await typesOf('application/*+json', 'text/json', '*/*', 'application/json')).toEqual([
      'application/json',
    ])
  })

  it('offers kinds of JSON with different meanings', async () => {
    const patches = [
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
    ]
    expect(await typesOf(...patches)).toEqual(patches)
  })

  it('says which one is sent unless the input chooses another', async () => {
    const { input, body } = await withContent({ 'text/plain': {}, 'application/json': { schema } })
    expect(body!.typeField).toBe('content_type')
    expect((input['properties'] as JsonObject)['content_type']).toEqual({
      type: 'string',
      enum: ['application/json', 'text/plain'],
      description: 'The media type of the body; application/json unless given.',
    })
  })

  it('accepts the schema of each', async () => {
    const body = bodyIn(
      await withContent({
        'application/json': { schema: { type: 'object', required: ['a'] } },
        'application/vnd.list+json': { schema: { type: 'array' } },
      }),
    )
    expect([{ a: 1 }, [], {}, 'x'].map((value) => accepts(body, value))).toEqual([true, true, false, false])
  })
})

describe('multipart and form bodies', () => {
  it('files can have a name and a type', async () => {
    const operation = await withContent({
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['file'],
          properties: {
            file: { type: 'string', format: 'binary', description: 'The picture.' },
            more: { type: 'array', items: { type: 'string', format: 'binary' } },
            title: { type: 'string' },
          },
        },
      },
    })
    expect(bodyIn(operation)).toEqual({
      type: 'object',
      required: ['file'],
      properties: {
        file: { description: 'The picture.', ...FILE },
        more: { type: 'array', items: FILE },
        title: { type: 'string' },
      },
    })
    expect(operation.body!.contents[0]!.encoding).toEqual({
      file: { isBinary: true },
      more: { isBinary: true },
    })
  })

  it.each([
    ['contentMediaType of 3.1', { type: 'string', contentMediaType: 'image/png' }, true],
    ['a file of an unknown type', { type: 'string', contentMediaType: 'application/octet-stream' }, true],
    ['Base64 of 3.1', { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' }, false],
    ['a text of 3.1', { type: 'string', contentMediaType: 'text/html' }, false],
    ['a reference', { $ref: '#/components/schemas/File' }, true],
    [
      'one of two kinds of files',
      {
        anyOf: [
          { type: 'string', format: 'binary' },
          { type: 'array', items: { type: 'string', format: 'binary' } },
        ],
      },
      true,
    ],
    [
      'a file or an address',
      {
        anyOf: [
          { type: 'string', format: 'binary' },
          { type: 'string', format: 'uri' },
        ],
      },
      false,
    ],
    ['a file or nothing', { type: ['string', 'null'], format: 'binary' }, true],
    ['a number', { type: 'integer' }, false],
    ['a list of itself', { $ref: '#/components/schemas/Endless' }, false],
  ])('%s: whether it is bytes is %s', async (_, property, isBinary) => {
    const { body } = await withContent(
      { 'multipart/form-data': { schema: { type: 'object', properties: { p: property } } } },
      {
        openapi: '3.1.0',
        components: {
          schemas: {
            File: { type: 'string', format: 'binary' },
            Endless: { type: 'array', items: { $ref: '#/components/schemas/Endless' } },
          },
        },
      },
    )
    expect(body!.contents[0]!.encoding).toEqual(isBinary ? { p: { isBinary: true } } : {})
  })

  it('finds members that come by allOf', async () => {
    const { body } = await withContent({
      'multipart/form-data': {
        schema: {
          allOf: [
            { type: 'object', properties: { a: { type: 'string', format: 'binary' } } },
            { type: 'object', properties: { b: { type: 'string' } } },
          ],
        },
      },
    })
    expect(body!.contents[0]!.encoding).toEqual({ a: { isBinary: true } })
  })

  it('reads encodings, and constant headers of parts', async () => {
    const { body, input } = await withContent(
      {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: { icon: {}, tags: { type: 'array' }, meta: { type: 'object' } },
          },
          encoding: {
            icon: { contentType: 'image/png, image/jpeg' },
            tags: { style: 'pipeDelimited', explode: false, allowReserved: true },
            meta: {
              style: 'unknown',
              contentType: 'application/json',
              headers: {
                'X-Kind': { schema: { $ref: '#/components/schemas/Kind' } },
                'X-Only': { schema: { type: 'string', enum: ['one'] } },
                'X-Free': { schema: { type: 'string' } },
              },
            },
          },
        },
      },
      { components: { schemas: { Kind: { type: 'integer', default: 3 } } } },
    )
    expect(body!.contents[0]!.encoding).toEqual({
      icon: { contentType: 'image/png, image/jpeg', isBinary: true },
      tags: { style: 'pipeDelimited', explode: false, allowReserved: true },
      meta: { contentType: 'application/json', headers: { 'X-Kind': '3', 'X-Only': 'one' } },
    })
    expect(accepts(input, { body: { icon: { data: 'AAAA', filename: 'a.png' }, tags: [] } })).toBe(true)
    expect(accepts(input, { body: { icon: 7 } })).toBe(false)
  })

  it('a file in JSON is a text in Base64', async () => {
    const schema = { type: 'object', properties: { f: { type: 'string', format: 'binary' } } }
    const operation = await withContent({ 'application/json': { schema }, 'multipart/form-data': { schema } })
    expect(bodyIn(operation)).toEqual({
      anyOf: [
        { type: 'object', properties: { f: BASE64 } },
        { type: 'object', properties: { f: FILE } },
      ],
    })
  })
})

describe('bodies that documents describe otherwise', () => {
  it('a schema without a media type is JSON', async () => {
    const { body, input } = await compileOne({ requestBody: { schema: { type: 'integer' } } })
    expect(body!.contents).toMatchObject([{ mediaType: 'application/json', kind: 'json' }])
    expect(input).toMatchObject({ properties: { body: { type: 'integer' } } })
  })

  it.each([{}, { content: {} }, { content: null }, null])('%j is no body', async (requestBody) => {
    expect((await compileOne({ requestBody })).body).toBeUndefined()
  })

  it('an object that can have no members is no body, unless it is required', async () => {
    const content = {
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', properties: {}, additionalProperties: false },
      },
    }
    expect((await compileOne({ requestBody: { content } })).body).toBeUndefined()
    expect((await compileOne({ requestBody: { content, required: true } })).body).toBeDefined()
  })
})

describe('bodies of 2.0', () => {
  const swagger = (more: JsonObject = {}): JsonObject => ({ openapi: undefined, swagger: '2.0', ...more })

  it('a body parameter is the body, in the types that the operation or the document consumes', async () => {
    const operation = {
      parameters: [
        {
          name: 'thing',
          in: 'body',
          required: true,
          description: 'It.',
          schema: { $ref: '#/definitions/Thing' },
        },
      ],
    }
    const definitions = { Thing: { type: 'object', properties: { a: { type: 'string' } } } }
    const consumes = ['application/xml', 'application/json']
    const { body, input } = await compileOne(operation, swagger({ definitions, consumes }))
    expect(body!.contents).toMatchObject([
      { mediaType: 'application/json', kind: 'json' },
      { mediaType: 'application/xml', kind: 'text' },
    ])
    expect(input).toMatchObject({ required: ['body'], properties: { body: { description: 'It.' } } })
    const plain = await compileOne({ ...operation, consumes: [] }, swagger({ definitions, consumes }))
    expect(plain.body!.contents).toMatchObject([{ mediaType: 'application/json' }])
  })

  it('form parameters are the members of a form', async () => {
    const { body, input } = await compileOne(
      {
        parameters: [
          { name: 'a', in: 'formData', type: 'string', required: true, description: 'The first.' },
          { name: 'b', in: 'formData', type: 'array', items: { type: 'integer' }, collectionFormat: 'multi' },
          { name: 'c', in: 'formData', type: 'array', items: { type: 'integer' }, collectionFormat: 'ssv' },
        ],
      },
      swagger(),
    )
    expect(body).toEqual({
      isRequired: true,
      field: 'body',
      typeField: undefined,
      contents: [
        {
          mediaType: 'application/x-www-form-urlencoded',
          kind: 'form',
          encoding: {
            b: { style: 'form', explode: true },
            c: { style: 'spaceDelimited', explode: false },
          },
        },
      ],
    })
    expect(input).toMatchObject({
      properties: {
        body: {
          properties: {
            a: { type: 'string', description: 'The first.' },
            b: { type: 'array', items: { type: 'integer' } },
          },
          required: ['a'],
        },
      },
    })
  })

  it('a form can be offered in both types, a file only in multipart', async () => {
    const consumes = ['multipart/form-data', 'application/x-www-form-urlencoded', 'application/json']
    const text = { name: 'a', in: 'formData', type: 'string' }
    const file = { name: 'f', in: 'formData', type: 'file' }
    const plain = await compileOne({ parameters: [text] }, swagger({ consumes }))
    expect(plain.body!.contents.map(({ mediaType }) => mediaType)).toEqual(consumes.slice(0, 2))
    const withFile = await compileOne({ parameters: [text, file] }, swagger({ consumes }))
    expect(withFile.body!.contents).toEqual([
      { mediaType: 'multipart/form-data', kind: 'multipart', encoding: { f: { isBinary: true } } },
    ])
    expect(withFile.input).toMatchObject({ properties: { body: { properties: { f: FILE } } } })
    const unnamed = await compileOne({ parameters: [file] }, swagger())
    expect(unnamed.body!.contents).toMatchObject([{ mediaType: 'multipart/form-data' }])
  })

  it('an operation replaces the form parameters of its path', async () => {
    const { input } = await compileOne(
      {},
      swagger({
        paths: {
          '/things': {
            parameters: [{ name: 'a', in: 'formData', type: 'string' }],
            post: { parameters: [{ name: 'a', in: 'formData', type: 'integer' }] },
          },
        },
      }),
    )
    expect(input).toMatchObject({ properties: { body: { properties: { a: { type: 'integer' } } } } })
  })
})
