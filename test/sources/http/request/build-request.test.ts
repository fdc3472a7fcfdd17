import { describe, expect, it } from 'vitest'
import type { CompiledOperation } from '../../../../src/sources/openapi/compiled.js'
import { buildRequest } from '../../../../src/sources/http/request/build-request.js'
import { BASE_URL, failureOf, INVALID, makeOperation, makeParameter } from './make-operation.js'

function urlOf(
  operation: Partial<CompiledOperation>,
  input: Record<string, unknown> = {},
  base = '',
): string {
  return buildRequest(makeOperation(operation), { input, baseUrl: new URL(base, BASE_URL) }).url
}

const ID = makeParameter({ in: 'path', name: 'id' })
const LIMIT = makeParameter({ in: 'query', name: 'limit' })

describe('the address of a request', () => {
  it('has the path of the base, the path of the operation and the query', () => {
    const operation = { path: '/pets/{id}', parameters: [ID, LIMIT] }
    expect(urlOf(operation, { id: 7, limit: 20 }, '/api/v1')).toBe('/api/v1/pets/7?limit=20')
    expect(urlOf(operation, { id: 7, limit: 20 }, '/api/v1/')).toBe('/api/v1/pets/7?limit=20')
    expect(urlOf(operation, { id: 7 })).toBe('/pets/7')
  })

  it('keeps the query of the base', () => {
    expect(urlOf({ path: '/pets', parameters: [LIMIT] }, { limit: 1 }, '/?version=2')).toBe(
      '/pets?version=2&limit=1',
    )
  })

  it('writes parameters in the order of the document', () => {
    const parameters = ['b', 'a', 'c'].map((name) => makeParameter({ in: 'query', name }))
    expect(urlOf({ parameters }, { a: 1, b: 2, c: 3 })).toBe('/?b=2&a=1&c=3')
  })

  it('has its own field for each parameter, also where names are the same', () => {
    const parameters = [ID, { ...makeParameter({ in: 'query', name: 'id' }), field: 'id_query' }]
    expect(urlOf({ path: '/{id}', parameters }, { id: 'a', id_query: 'b' })).toBe('/a?id=b')
  })

  it.each([
    ['/', '/'],
    ['', '/'],
    ['pets', '/pets'],
    ['/pets/', '/pets/'],
    ['/pets//all', '/pets//all'],
    ['/a b/ü', '/a%20b/%C3%BC'],
    ['/a%20b', '/a%20b'],
    ['/pets:all(x)', '/pets:all(x)'],
    ['/pets?kind=cat', '/pets?kind=cat'],
    ['/#Action=List', '/'],
    ['/pets?kind=cat#note', '/pets?kind=cat'],
  ])('sends the template %j as %s', (path, expected) => {
    expect(urlOf({ path })).toBe(expected)
  })

  it('adds to a query in the template', () => {
    const operation = { path: '/pets?kind={id}&all', parameters: [ID, LIMIT] }
    expect(urlOf(operation, { id: 'a&b', limit: 1 })).toBe('/pets?kind=a%26b&all&limit=1')
  })

  it('inserts several values in one segment', () => {
    const parameters = ['owner', 'format', 'v'].map((name) => makeParameter({ in: 'path', name }))
    const operation = { path: '/{owner}.{format}/x{v}y', parameters }
    expect(urlOf(operation, { owner: 'a/b', format: 'json', v: 2 })).toBe('/a%2Fb.json/x2y')
  })

  it('names an expression that no parameter describes', () => {
    const failure = failureOf(() => urlOf({ path: '/pets/{id}' }, { id: 1 }))
    expect(failure).toEqual(INVALID)
    expect(failure.message).toContain('{id}')
  })
})

describe('headers and cookies', () => {
  const parameters = [
    makeParameter({ in: 'header', name: 'X-Trace-Id' }),
    makeParameter({ in: 'cookie', name: 'session' }),
    makeParameter({ in: 'cookie', name: 'theme', style: 'cookie' }),
  ]
  const build = (input: Record<string, unknown>) =>
    buildRequest(makeOperation({ parameters }), { input, baseUrl: BASE_URL })

  it('have names in lower case, and one value for all cookies', () => {
    expect(build({ 'X-Trace-Id': 'a', session: 'b c', theme: 'd' })).toEqual({
      method: 'GET',
      url: '/',
      headers: { 'x-trace-id': 'a' },
      cookies: 'session=b%20c; theme=d',
      body: undefined,
      contentType: undefined,
    })
  })

  it('are absent where the input has none', () => {
    expect(build({})).toMatchObject({ headers: {}, cookies: undefined })
  })
})
