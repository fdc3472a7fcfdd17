import { describe, expect, it } from 'vitest'
import type { CompiledParameter } from '../../../../src/sources/http/http-operation.js'
import { compile, compileOne, documentOf } from './compile.js'

type JsonObject = Readonly<Record<string, unknown>>

async function parameterOf(parameter: JsonObject, document: JsonObject = {}): Promise<CompiledParameter> {
  const { parameters } = await compileOne({ parameters: [{ name: 'p', ...parameter }] }, document)
  expect(parameters).toHaveLength(1)
  return parameters[0]!
}

async function inputOf(parameters: readonly JsonObject[], document: JsonObject = {}): Promise<JsonObject> {
  return (await compileOne({ parameters }, document)).input
}

describe('styles', () => {
  const text = { schema: { type: 'string' } }
  it.each([
    [
      { in: 'query', ...text },
      { style: 'form', explode: true },
    ],
    [
      { in: 'query', explode: false, ...text },
      { style: 'form', explode: false },
    ],
    [
      { in: 'query', style: 'spaceDelimited', ...text },
      { style: 'spaceDelimited', explode: false },
    ],
    [
      { in: 'query', style: 'pipeDelimited', explode: true, ...text },
      { style: 'pipeDelimited', explode: true },
    ],
    [
      { in: 'query', style: 'deepObject', ...text },
      { style: 'deepObject', explode: false },
    ],
    [
      { in: 'query', style: 'matrix', ...text },
      { style: 'form', explode: true },
    ],
    [
      { in: 'header', ...text },
      { style: 'simple', explode: false },
    ],
    [
      { in: 'header', explode: true, ...text },
      { style: 'simple', explode: true },
    ],
    [
      { in: 'cookie', ...text },
      { style: 'form', explode: true },
    ],
    [
      { in: 'cookie', style: 'cookie', ...text },
      { style: 'cookie', explode: true },
    ],
    [
      { in: 'query', style: 7, explode: 'no', ...text },
      { style: 'form', explode: true },
    ],
  ])('%j is %j in 3.x', async (parameter, expected) => {
    expect(await parameterOf(parameter, { openapi: '3.2.0' })).toMatchObject(expected)
  })

  it.each([
    [
      { in: 'query', type: 'array' },
      { style: 'form', explode: false },
    ],
    [
      { in: 'query', type: 'array', collectionFormat: 'csv' },
      { style: 'form', explode: false },
    ],
    [
      { in: 'query', type: 'array', collectionFormat: 'multi' },
      { style: 'form', explode: true },
    ],
    [
      { in: 'query', type: 'array', collectionFormat: 'ssv' },
      { style: 'spaceDelimited', explode: false },
    ],
    [
      { in: 'query', type: 'array', collectionFormat: 'tsv' },
      { style: 'tabDelimited', explode: false },
    ],
    [
      { in: 'query', type: 'array', collectionFormat: 'pipes' },
      { style: 'pipeDelimited', explode: false },
    ],
    [
      { in: 'header', type: 'array', collectionFormat: 'pipes' },
      { style: 'pipeDelimited', explode: false },
    ],
    [
      { in: 'header', type: 'array' },
      { style: 'simple', explode: false },
    ],
  ])('%j is %j in 2.0', async (parameter, expected) => {
    expect(await parameterOf(parameter, { openapi: undefined, swagger: '2.0' })).toMatchObject(expected)
  })

  it('path parameters have the styles of paths', async () => {
    const { operations } = await compile({
      openapi: '3.1.0',
      paths: {
        '/a/{x}/{y}/{z}': {
          get: {
            parameters: [
              { name: 'x', in: 'path', required: true },
              { name: 'y', in: 'path', required: true, style: 'label', explode: true },
              { name: 'z', in: 'path', required: true, style: 'matrix' },
            ],
          },
        },
      },
    })
    expect(operations[0]!.parameters.map(({ name, style, explode }) => [name, style, explode])).toEqual([
      ['x', 'simple', false],
      ['y', 'label', true],
      ['z', 'matrix', false],
    ])
  })

  it('passes on what else a parameter says', async () => {
    const said = { in: 'query', required: true, allowReserved: true, allowEmptyValue: true }
    expect(await parameterOf(said)).toEqual({
      field: 'p',
      name: 'p',
      in: 'query',
      isRequired: true,
      style: 'form',
      explode: true,
      allowReserved: true,
      allowEmptyValue: true,
      mediaType: undefined,
    })
  })

  it('a parameter with content has the media type, and the schema under it', async () => {
    const content = { 'application/json': { schema: { type: 'object', required: ['a'] } } }
    expect(await parameterOf({ in: 'query', content })).toMatchObject({ mediaType: 'application/json' })
    expect(await inputOf([{ name: 'p', in: 'query', content }])).toMatchObject({
      properties: { p: { type: 'object', required: ['a'] } },
    })
  })

  it('a whole query string is a parameter of 3.2', async () => {
    const content = { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } }
    expect(await parameterOf({ in: 'querystring', content }, { openapi: '3.2.0' })).toMatchObject({
      in: 'querystring',
      mediaType: 'application/x-www-form-urlencoded',
    })
  })
})

describe('which parameters an operation has', () => {
  it('takes over those of the path, and replaces those that it names itself', async () => {
    const { operations } = await compile({
      openapi: '3.0.0',
      paths: {
        '/a/{id}': {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
            { name: 'h', in: 'header', schema: { type: 'string' } },
          ],
          get: { parameters: [{ name: 'q', in: 'query', schema: { type: 'integer' } }] },
        },
      },
    })
    expect(operations[0]!.input).toEqual({
      type: 'object',
      properties: { id: { type: 'string' }, q: { type: 'integer' }, h: { type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    })
  })

  it('takes them from references, whose descriptions can be replaced', async () => {
    const document = {
      openapi: '3.1.0',
      components: {
        parameters: {
          Page: { name: 'page', in: 'query', description: 'Which.', schema: { type: 'integer' } },
        },
      },
    }
    const reference = { $ref: '#/components/parameters/Page' }
    expect(await inputOf([reference], document)).toMatchObject({
      properties: { page: { type: 'integer', description: 'Which.' } },
    })
    expect(await inputOf([{ ...reference, description: 'Which page.' }], document)).toMatchObject({
      properties: { page: { type: 'integer', description: 'Which page.' } },
    })
  })

  it.each(['Accept', 'content-type', 'Authorization', 'Host', 'Content-Length'])(
    'leaves out the header %s, which other parts set',
    async (name) => {
      const input = await inputOf([{ name, in: 'header', required: true, schema: { type: 'string' } }])
      expect(input).toEqual({ type: 'object', properties: {}, additionalProperties: false })
    },
  )

  it.each([
    ['a name that is missing', { name: undefined, in: 'query' }],
    ['a position that OpenAPI does not have', { name: 'a', in: 'matrix' }],
    ['a position that is no text', { name: 'a', in: 7 }],
  ])('leaves out %s, and says so', async (_, parameter) => {
    const { operations, problems } = await compile(documentOf({ parameters: [parameter] }))
    expect(operations[0]!.parameters).toEqual([])
    expect(problems.map(({ at }) => at)).toContain('/paths/~1things/post/parameters/0')
  })

  it('reads a position that is written with capitals', async () => {
    expect(await parameterOf({ in: 'Query' })).toMatchObject({ in: 'query' })
  })
})

describe('the variables of a path', () => {
  const compilePath = async (path: string, parameters: readonly JsonObject[]) => {
    const { operations, problems } = await compile({
      openapi: '3.0.0',
      paths: { [path]: { get: { operationId: 'a', parameters } } },
    })
    return { ...operations[0]!, problems }
  }
  const named = (name: string, more: JsonObject = {}): JsonObject => ({
    name,
    in: 'path',
    schema: { type: 'integer' },
    ...more,
  })

  it('are required, also where the document says that they are optional', async () => {
    const { input } = await compilePath('/a/{id}', [named('id', { required: false })])
    expect(input).toMatchObject({ properties: { id: { type: 'integer' } }, required: ['id'] })
  })

  it('are texts where no parameter describes them', async () => {
    const { input, problems } = await compilePath('/a/{id}', [])
    expect(input).toMatchObject({ properties: { id: { type: 'string' } }, required: ['id'] })
    expect(problems).toContainEqual({ at: '/paths/~1a~1{id}', message: expect.stringContaining('{id}') })
  })

  it('are found with other capitals, and under the name that the template has', async () => {
    const { parameters, input } = await compilePath('/a/{petId}', [named('petID')])
    expect(parameters.map(({ name }) => name)).toEqual(['petId'])
    expect(input).toMatchObject({ properties: { petId: { type: 'integer' } } })
  })

  it.each(['/a/{id:[0-9]+}', '/a/{+id}', '/a/{id*}'])('are found in the notation of %s', async (path) => {
    const { parameters, input } = await compilePath(path, [named('id')])
    expect(parameters).toHaveLength(1)
    expect(path).toContain(`{${parameters[0]!.name}}`)
    expect(Object.values(input['properties'] as object)).toEqual([{ type: 'integer' }])
  })

  it('in the query of a template are the query parameters of the same name', async () => {
    const { parameters } = await compilePath('/a?term={term}', [
      { name: 'term', in: 'query', schema: { type: 'integer' } },
      { name: 'other', in: 'query', schema: { type: 'integer' } },
    ])
    expect(parameters.map(({ name, in: position }) => `${position} ${name}`)).toEqual([
      'path term',
      'query other',
    ])
  })

  it('that the template does not have are left out', async () => {
    const { parameters, problems } = await compilePath('/a', [named('id')])
    expect(parameters).toEqual([])
    expect(problems).toContainEqual({ at: '/paths/~1a/get', message: expect.stringContaining('"id"') })
  })
})

describe('the members of an input', () => {
  const fieldsOf = async (...parameters: readonly JsonObject[]): Promise<string[]> => {
    const operation = await compileOne({ parameters })
    expect(Object.keys(operation.input['properties'] as object)).toEqual(
      operation.parameters.map(({ field }) => field),
    )
    return operation.parameters.map(({ field }) => field)
  }
  const query = (name: string): JsonObject => ({ name, in: 'query', schema: {} })

  it.each([
    ['limit', 'limit'],
    ['X-Request-ID', 'X-Request-ID'],
    ['user.fields', 'user.fields'],
    ['page[size]', 'page_size'],
    ['$filter', 'filter'],
    ['filter[a][b]', 'filter_a_b'],
    ['größe', 'grosse'],
    ['créé', 'cree'],
    ['__proto__', 'proto'],
  ])('%s is %s', async (name, field) => {
    expect(await fieldsOf(query(name))).toEqual([field])
  })

  it('in another script have their position, their Latin words and a hash, and are named in the description', async () => {
    const { input, parameters } = await compileOne({
      parameters: [
        { ...query('номер'), description: 'Of the order.' },
        query('名前'),
        query('номер_id'),
        query('id'),
        { name: 'X-Имя', in: 'header' },
      ],
    })
    const named = parameters.map(({ name, field }) => [
      field,
      (input as { properties: JsonObject }).properties[field],
      name,
    ])
    expect(named).toEqual([
      [expect.stringMatching(/^query_[0-9a-f]{8}$/), { description: 'номер: Of the order.' }, 'номер'],
      [expect.stringMatching(/^query_[0-9a-f]{8}$/), { description: '名前' }, '名前'],
      [expect.stringMatching(/^id_[0-9a-f]{8}$/), { description: 'номер_id' }, 'номер_id'],
      ['id', {}, 'id'],
      [expect.stringMatching(/^X_[0-9a-f]{8}$/), { description: 'X-Имя' }, 'X-Имя'],
    ])
  })

  it('have names that every model API allows', async () => {
    const names = [
      '名前',
      '[]',
      '',
      ' ',
      'a'.repeat(200),
      'é'.repeat(80),
      '$',
      'a b',
      'toString',
      'constructor',
    ]
    const fields = await fieldsOf(...names.map(query))
    expect(fields).toHaveLength(names.length - 1)
    for (const field of fields) expect(field).toMatch(/^[A-Za-z0-9_.-]{1,64}$/)
    expect(new Set(fields).size).toBe(fields.length)
  })

  it('say the position where a name occurs in several', async () => {
    const fields = await fieldsOf(
      { name: 'id', in: 'cookie', schema: {} },
      { name: 'id', in: 'header', schema: {} },
      { name: 'id', in: 'query', schema: {} },
    )
    expect(fields).toEqual(['id', 'id_header', 'id_cookie'])
  })

  it('keep a name of the document, although another one could become the same', async () => {
    expect(await fieldsOf(query('page[size]'), query('page_size'))).toEqual(['page_size_query', 'page_size'])
  })

  it('beside a parameter named body, the body has another name', async () => {
    const { body, input } = await compileOne({
      parameters: [query('body'), query('content_type')],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: {} }, 'text/plain': { schema: {} } },
      },
    })
    expect(body).toMatchObject({ field: 'body_2', typeField: 'content_type_2' })
    expect(input).toMatchObject({ required: ['body_2'] })
  })

  it('keep descriptions and deprecation', async () => {
    const input = await inputOf([
      { name: 'a', in: 'query', description: 'One.', deprecated: true, schema: { description: 'Two.' } },
      { name: 'b', in: 'query', schema: { type: 'string', description: 'Two.' } },
    ])
    expect(input['properties']).toEqual({
      a: { description: 'One.', deprecated: true },
      b: { type: 'string', description: 'Two.' },
    })
  })
})
