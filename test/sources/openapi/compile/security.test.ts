import { describe, expect, it } from 'vitest'
import { compile, compileOne, documentOf } from './compile.js'

type JsonObject = Readonly<Record<string, unknown>>

describe('security schemes', () => {
  const schemeOf = async (scheme: unknown, document: JsonObject = {}) => {
    const compiled = await compile(
      documentOf({}, { components: { securitySchemes: { s: scheme } }, ...document }),
    )
    return compiled.securitySchemes['s']
  }

  it.each<[JsonObject, JsonObject]>([
    [
      { type: 'apiKey', in: 'header', name: 'X-Key' },
      { type: 'apiKey', in: 'header', name: 'X-Key' },
    ],
    [
      { type: 'apiKey', in: 'query', name: 'key' },
      { type: 'apiKey', in: 'query', name: 'key' },
    ],
    [
      { type: 'apiKey', in: 'cookie', name: 'sid' },
      { type: 'apiKey', in: 'cookie', name: 'sid' },
    ],
    [
      { type: 'apikey', in: 'Header', name: 'X-Key' },
      { type: 'apiKey', in: 'header', name: 'X-Key' },
    ],
    [
      { type: 'apiKey', in: 'body', name: 'key' },
      { type: 'unsupported', of: 'apiKey' },
    ],
    [
      { type: 'apiKey', in: 'header' },
      { type: 'unsupported', of: 'apiKey' },
    ],
    [
      { type: 'http', scheme: 'Bearer' },
      { type: 'http', scheme: 'bearer' },
    ],
    [
      { type: 'http', scheme: 'basic' },
      { type: 'http', scheme: 'basic' },
    ],
    [{ type: 'http' }, { type: 'http', scheme: 'bearer' }],
    [
      { type: 'openIdConnect', openIdConnectUrl: 'https://a' },
      { type: 'openIdConnect', url: 'https://a' },
    ],
    [{ type: 'openIdConnect' }, { type: 'unsupported', of: 'openIdConnect' }],
    [{ type: 'mutualTLS' }, { type: 'unsupported', of: 'mutualTLS' }],
    [{ type: 7 }, { type: 'unsupported', of: 'unknown' }],
    [{}, { type: 'unsupported', of: 'unknown' }],
  ])('%j is %j', async (scheme, expected) => {
    expect(await schemeOf(scheme)).toEqual(expected)
  })

  it('takes the addresses of the flows that can be used', async () => {
    const flows = {
      implicit: { authorizationUrl: 'https://a/implicit', scopes: { a: '' } },
      password: { tokenUrl: 'https://a/password', scopes: {} },
      authorizationCode: {
        authorizationUrl: 'https://a/code',
        tokenUrl: 'https://a/token',
        scopes: { a: '', b: '' },
      },
      clientCredentials: { tokenUrl: 'https://a/client', scopes: { c: '' } },
    }
    expect(await schemeOf({ type: 'oauth2', flows })).toEqual({
      type: 'oauth2',
      flows: {
        authorizationUrl: 'https://a/code',
        tokenUrl: 'https://a/token',
        deviceAuthorizationUrl: undefined,
        grants: ['authorization_code', 'client_credentials'],
        scopes: ['a', 'b', 'c'],
      },
    })
  })

  it('reads the device flow of 3.2', async () => {
    const flows = {
      deviceAuthorization: {
        deviceAuthorizationUrl: 'https://a/device',
        tokenUrl: 'https://a/token',
        scopes: {},
      },
    }
    expect(await schemeOf({ type: 'oauth2', flows }, { openapi: '3.2.0' })).toMatchObject({
      flows: {
        deviceAuthorizationUrl: 'https://a/device',
        tokenUrl: 'https://a/token',
        grants: ['device_code'],
      },
    })
  })

  it.each([
    ['basic', { type: 'basic' }, { type: 'http', scheme: 'basic' }],
    ['a key', { type: 'apiKey', in: 'query', name: 'k' }, { type: 'apiKey', in: 'query', name: 'k' }],
    [
      'a code',
      {
        type: 'oauth2',
        flow: 'accessCode',
        authorizationUrl: 'https://a/a',
        tokenUrl: 'https://a/t',
        scopes: { x: '' },
      },
      {
        type: 'oauth2',
        flows: {
          authorizationUrl: 'https://a/a',
          tokenUrl: 'https://a/t',
          grants: ['authorization_code'],
          scopes: ['x'],
        },
      },
    ],
    [
      'a client',
      { type: 'oauth2', flow: 'application', tokenUrl: 'https://a/t', scopes: {} },
      { type: 'oauth2', flows: { tokenUrl: 'https://a/t', grants: ['client_credentials'], scopes: [] } },
    ],
  ])('reads %s of 2.0', async (_, scheme, expected) => {
    const { securitySchemes } = await compile({
      swagger: '2.0',
      paths: {},
      securityDefinitions: { s: scheme },
    })
    expect(securitySchemes['s']).toMatchObject(expected)
  })
})

describe('what an operation needs', () => {
  const components = {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      token: { type: 'http', scheme: 'bearer' },
      oauth: { type: 'oauth2', flows: {} },
    },
  }
  const securityOf = async (operation: JsonObject, document: JsonObject = {}) =>
    (await compileOne(operation, { components, ...document })).security

  it('is one of several alternatives, and all schemes of that', async () => {
    const security = [{ key: [], token: [] }, { oauth: ['read', 'write'] }, {}]
    expect(await securityOf({ security })).toEqual(security)
  })

  it('is what the document says, unless the operation says otherwise', async () => {
    const document = { security: [{ key: [] }] }
    expect(await securityOf({}, document)).toEqual([{ key: [] }])
    expect(await securityOf({ security: [] }, document)).toEqual([])
    expect(await securityOf({ security: [{}] }, document)).toEqual([])
    expect(await securityOf({ security: [{ token: [] }] }, document)).toEqual([{ token: [] }])
    expect(await securityOf({ security: null }, document)).toEqual([{ key: [] }])
  })

  it('can be a scheme that the document does not define, which is said once', async () => {
    const { operations, problems, securitySchemes } = await compile({
      openapi: '3.0.0',
      security: [{ unknown: [] }],
      paths: { '/a': { get: { operationId: 'a' }, post: { operationId: 'b' } } },
    })
    expect(operations.map(({ security }) => security)).toEqual([[{ unknown: [] }], [{ unknown: [] }]])
    expect(problems).toEqual([{ at: '', message: expect.stringContaining('"unknown"') }])
    expect(securitySchemes['unknown']).toEqual({ type: 'not_defined' })
  })

  it('can be a scheme with an address, in 3.2', async () => {
    const name = './auth.yaml#/components/securitySchemes/key'
    const { operations, securitySchemes } = await compile(
      documentOf(
        { security: [{ [name]: [] }], parameters: [{ $ref: './auth.yaml#/components/parameters/p' }] },
        { openapi: '3.2.0' },
      ),
      {
        others: {
          'file:///apis/auth.yaml':
            'components: { parameters: { p: { name: p, in: query } }, securitySchemes: { key: { type: http, scheme: basic } } }',
        },
      },
    )
    expect(operations[0]!.security).toEqual([{ [name]: [] }])
    expect(securitySchemes[name]).toEqual({ type: 'http', scheme: 'basic' })
  })

  it.each<[unknown, unknown]>([
    ['x', []],
    [[null, 7, 'x'], []],
    [[{ key: 'read' }], [{ key: [] }]],
    [[{ oauth: ['a', 7, null] }], [{ oauth: ['a'] }]],
  ])('is read from %j as %j', async (security, expected) => {
    expect(await securityOf({ security })).toEqual(expected)
  })
})

describe('servers', () => {
  const serversOf = async (operation: JsonObject, document: JsonObject = {}, address?: string) => {
    const { operations } = await compile(documentOf(operation, document), address ? { address } : {})
    return operations[0]!.servers
  }

  it('are those of the operation, else of its path, else of the document', async () => {
    const servers = [{ url: 'https://document' }]
    const pathItem = { servers: [{ url: 'https://path' }], post: {} }
    expect(await serversOf({ servers: [{ url: 'https://operation' }] }, { servers })).toEqual([
      { url: 'https://operation', variables: {} },
    ])
    expect(await serversOf({}, { servers, paths: { '/things': pathItem } })).toEqual([
      { url: 'https://path', variables: {} },
    ])
    expect(await serversOf({}, { servers })).toEqual([{ url: 'https://document', variables: {} }])
    expect(await serversOf({}, { servers: [] })).toEqual([{ url: '/', variables: {} }])
  })

  it('have variables with defaults', async () => {
    const url = 'https://{region}.example.com:{port}/{missing}'
    const variables = {
      region: { default: 'eu', enum: ['eu', 'us'], description: 'Where.' },
      port: { default: 8443 },
      missing: { enum: ['first', 'second'] },
      none: {},
      odd: 'x',
    }
    expect(await serversOf({ servers: [{ url, variables }, { url: 7 }, null] })).toEqual([
      {
        url,
        variables: {
          region: { default: 'eu', enum: ['eu', 'us'] },
          port: { default: '8443' },
          missing: { default: 'first', enum: ['first', 'second'] },
        },
      },
    ])
  })

  it.each<[string, JsonObject, string | undefined, string]>([
    [
      'https where it is named',
      { host: 'a.com', basePath: '/v1', schemes: ['http', 'https'] },
      undefined,
      'https://a.com/v1',
    ],
    ['http where only that is named', { host: 'a.com', schemes: ['http', 'ws'] }, undefined, 'http://a.com/'],
    ['https where nothing is named', { host: 'a.com' }, undefined, 'https://a.com/'],
    [
      'that of the document where nothing is named',
      { host: 'localhost:8080' },
      'http://localhost:8080/swagger.json',
      'http://localhost:8080/',
    ],
    ['the host of the document', { basePath: '/v1', schemes: ['http'] }, undefined, '/v1'],
    ['a base path without a slash', { host: 'a.com', basePath: 'v1' }, undefined, 'https://a.com/v1'],
    ['a host with a scheme', { host: 'https://a.com/' }, undefined, 'https://a.com/'],
    ['nothing', {}, undefined, '/'],
  ])('of 2.0: %s', async (_, document, address, url) => {
    const swagger = { openapi: undefined, swagger: '2.0', ...document }
    expect(await serversOf({}, swagger, address)).toEqual([{ url, variables: {} }])
  })
})
