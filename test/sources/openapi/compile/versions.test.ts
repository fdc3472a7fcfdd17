import { describe, expect, it } from 'vitest'
import { compile, documentOf } from './compile.js'

type JsonObject = Readonly<Record<string, unknown>>

describe('the version of a document', () => {
  it.each<[JsonObject, string]>([
    [{ openapi: '3.0.3' }, '3.0'],
    [{ openapi: '3.1.0' }, '3.1'],
    [{ openapi: '3.2.0' }, '3.2'],
    [{ openapi: '3.9.1' }, '3.2'],
    [{ openapi: 3.1 }, '3.1'],
    [{ openapi: 3 }, '3.0'],
    [{ openapi: '3' }, '3.0'],
    [{ swagger: '2.0' }, '2.0'],
    [{ swagger: 2 }, '2.0'],
    [{ openapi: '2.0' }, '2.0'],
  ])('of %j is %s', async (said, dialect) => {
    expect(await compile({ ...said, paths: {} })).toMatchObject({ dialect })
  })

  it('is read from YAML without quotes', async () => {
    expect(await compile('openapi: 3.0\npaths: {}')).toMatchObject({ dialect: '3.0' })
    expect(await compile('swagger: 2.0\npaths: {}')).toMatchObject({ dialect: '2.0' })
  })

  it.each<[string, string, string]>([
    ['another version', '{"openapi":"4.0.0"}', 'its version "4.0.0" is not'],
    ['an older version', '{"swagger":"1.2"}', 'its version "1.2" is not'],
    ['a version that is none', '{"openapi":{"a":1},"swagger":[]}', 'its version'],
    ['no version', '{"paths":{}}', 'it has no "openapi" or "swagger" member'],
    ['AsyncAPI', '{"asyncapi":"3.0.0"}', 'AsyncAPI'],
    ['Postman', '{"info":{},"item":[]}', 'Postman'],
    ['a list of MCP servers', '{"mcpServers":{}}', 'MCP servers'],
    ['Google discovery', '{"discoveryVersion":"v1"}', 'Google discovery'],
    ['anything else', '{"a":1}', 'it is no OpenAPI document'],
    ['a list', '[1]', 'it is a text or a list, not an object with members'],
    ['a text', 'hello', 'it is a text or a list, not an object with members'],
    ['nothing', '  \n ', 'it is empty'],
  ])('%s cannot be read', async (_, text, why) => {
    await expect(compile(text)).rejects.toMatchObject({
      name: 'UnreadableDocument',
      message: expect.stringContaining(why),
    })
  })

  it('what the document says about itself is passed on', async () => {
    const info = { title: 'Things', version: 1.5, description: 'All of them.' }
    expect(await compile({ openapi: '3.0.0', info, paths: {} })).toMatchObject({
      title: 'Things',
      version: '1.5',
      description: 'All of them.',
      operations: [],
      problems: [],
    })
  })
})

describe('operations', () => {
  const keysOf = async (paths: unknown, more: JsonObject = {}): Promise<string[]> => {
    const { operations } = await compile({ openapi: '3.2.0', paths, ...more })
    return operations.map(({ method, path }) => `${method} ${path}`)
  }

  it('are all methods of all paths, in the order of the document', async () => {
    const operation = { responses: {} }
    const item = {
      summary: 'A path',
      trace: operation,
      get: operation,
      put: operation,
      post: operation,
      delete: operation,
      options: operation,
      head: operation,
      patch: operation,
      query: operation,
      parameters: [],
      'x-get': operation,
    }
    expect(await keysOf({ '/b': item, '/a': { get: {} }, 'x-paths': { get: {} } })).toEqual([
      ...['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE', 'QUERY'].map(
        (each) => `${each} /b`,
      ),
      'GET /a',
    ])
  })

  it('of 3.2 can have methods of their own', async () => {
    const { operations, problems } = await compile({
      openapi: '3.2.0',
      paths: {
        '/a': {
          get: { operationId: 'read' },
          additionalOperations: {
            COPY: { operationId: 'copy' },
            'M-SEARCH': {},
            GET: { operationId: 'again' },
            'not a method': {},
          },
        },
      },
    })
    expect(operations.map(({ method, isAdditional }) => [method, isAdditional])).toEqual([
      ['GET', false],
      ['COPY', true],
      ['M-SEARCH', true],
    ])
    expect(problems.map(({ at }) => at)).toEqual([
      '/paths/~1a/additionalOperations/GET',
      '/paths/~1a/additionalOperations/not a method',
      '/paths',
    ])
  })

  it('with methods in capitals are read', async () => {
    expect(await keysOf({ '/a': { GET: {}, Post: {}, get: {} } })).toEqual(['GET /a', 'POST /a'])
  })

  it('come from references to path items, with what is beside the reference', async () => {
    const components = {
      pathItems: {
        Thing: { parameters: [{ name: 'a', in: 'query' }], get: { operationId: 'get' }, put: {} },
      },
    }
    const reference = { $ref: '#/components/pathItems/Thing' }
    expect(await keysOf({ '/a': reference }, { components })).toEqual(['GET /a', 'PUT /a'])
    const { operations } = await compile({
      openapi: '3.1.0',
      components,
      paths: {
        '/a': {
          ...reference,
          parameters: [{ name: 'b', in: 'query' }],
          get: { operationId: 'own' },
          post: {},
        },
      },
    })
    expect(
      operations.map(({ method, operationId, parameters }) => [
        method,
        operationId,
        parameters.map(({ name }) => name),
      ]),
    ).toEqual([
      ['GET', 'own', ['a', 'b']],
      ['POST', undefined, ['a', 'b']],
      ['PUT', undefined, ['a', 'b']],
    ])
  })

  it.each<[string, unknown, number]>([
    ['paths that are a list', [{ '/a': { get: {} } }], 1],
    ['paths that are a text', 'x', 1],
    ['paths that are nothing', null, 1],
    ['a path that is nothing', { '/a': null }, 1],
    ['a path that is a list', { '/a': [] }, 1],
    ['an operation that is nothing', { '/a': { get: null } }, 1],
    ['an operation that is a text', { '/a': { get: 'x' } }, 1],
    ['an unknown reference', { '/a': { $ref: '#/nowhere' } }, 1],
  ])('%s give a problem and no operation', async (_, paths, count) => {
    const { operations, problems } = await compile({ openapi: '3.0.0', paths })
    expect(operations).toEqual([])
    expect(problems).toHaveLength(count)
  })

  it('that share a problem with many others are all there', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [
        `/a/${at}/{id}`,
        { get: { operationId: `a${at}`, security: [{ [`s${at}`]: [] }] } },
      ]),
    )
    const { operations, problems } = await compile({ openapi: '3.0.0', paths })
    expect(operations).toHaveLength(500)
    expect(problems).toHaveLength(200)
  })
})

describe('the compiled document', () => {
  it('is plain JSON that shares nothing with the text', async () => {
    const compiled = await compile(documentOf({ 'x-a': { b: 1 }, responses: { 200: {} } }))
    expect(JSON.parse(JSON.stringify(compiled))).toEqual(
      JSON.parse(JSON.stringify(structuredClone(compiled))),
    )
  })
})
