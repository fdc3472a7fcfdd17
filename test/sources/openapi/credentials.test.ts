import { describe, expect, it } from 'vitest'
import { toInterface } from '../../../src/catalog/records/to-profiles.js'
import { bare, documentOf, openTools, writeDocument, type Document } from './open-tools.js'
import { startApi, type Answer } from './start-api.js'

const SCHEMES: Document = {
  Header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  Query: { type: 'apiKey', in: 'query', name: 'api_key' },
  Cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  Basic: { type: 'http', scheme: 'basic' },
  Bearer: { type: 'http', scheme: 'bearer' },
  Strange: { type: 'mutualTLS' },
}
const fromEnv = Object.fromEntries(
  Object.keys(SCHEMES).map((name) => [name, { source: 'env', name: name.toUpperCase() }]),
)

/** An API whose operation has this security, and the variables with its secrets. */
async function open(
  security: readonly object[],
  env: Record<string, string>,
  more: { answer?: Answer; settings?: object } = {},
) {
  const api = await startApi(more.answer ?? (({ url, headers }) => ({ url, headers })))
  const document = documentOf(
    { '/pet': { get: bare('getPet', { security }), post: bare('addPet', { security }) } },
    {
      components: { securitySchemes: SCHEMES },
    },
  )
  const credentials = fromEnv
  const tools = await openTools({
    document: writeDocument(document),
    server: api.url,
    credentials,
    env,
    ...more.settings,
  })
  return { api, ...tools }
}

describe('a credential', () => {
  it.each([
    ['Header', 'canary-header', { 'x-key': 'canary-header' }],
    [
      'Basic',
      'ann:canary-pass',
      { authorization: `Basic ${Buffer.from('ann:canary-pass').toString('base64')}` },
    ],
    ['Bearer', 'canary-token', { authorization: 'Bearer canary-token' }],
    ['Cookie', 'canary-cookie', { cookie: 'session=canary-cookie' }],
  ])('of the scheme %s is sent where the document says', async (name, secret, headers) => {
    const { api, call } = await open([{ [name]: [] }], { [name.toUpperCase()]: secret })
    const { toolcrib } = await call('getPet')
    expect(api.requests[0]?.headers).toMatchObject(headers)
    expect(toolcrib!['native']).toMatchObject({ security_scheme_refs: [name] })
  })

  it('in the query is sent, and stays out of records', async () => {
    const { api, call } = await open([{ Query: [] }], { QUERY: 'canary/query' })
    const result = await call('getPet')
    expect(api.requests[0]?.url).toBe('/pet?api_key=canary%2Fquery')
    expect(JSON.stringify(result)).not.toContain('canary')
  })

  it('is the first alternative that is complete', async () => {
    const security = [{ Header: [], Query: [] }, { Bearer: [] }, { Basic: [] }]
    const { api, call } = await open(security, {
      HEADER: 'canary-header',
      BEARER: 'canary-token',
      BASIC: 'a:b',
    })
    const { toolcrib } = await call('getPet')
    expect(api.requests[0]?.headers).toMatchObject({ authorization: 'Bearer canary-token' })
    expect(api.requests[0]?.headers).not.toHaveProperty('x-key')
    expect(toolcrib!['native']).toMatchObject({ security_scheme_refs: ['Bearer'] })
  })

  it('is all parts of an alternative together', async () => {
    const { api, call } = await open([{ Header: [], Query: [] }], {
      HEADER: 'canary-header',
      QUERY: 'canary-query',
    })
    await call('getPet')
    expect(api.requests[0]).toMatchObject({
      url: '/pet?api_key=canary-query',
      headers: { 'x-key': 'canary-header' },
    })
  })

  it('is optional where the document says so, and sent where it is there', async () => {
    const security = [{ Header: [] }, {}]
    const without = await open(security, {})
    expect((await without.call('getPet')).status).toBe('succeeded')
    expect(without.api.requests[0]?.headers).not.toHaveProperty('x-key')
    const withKey = await open(security, { HEADER: 'canary-header' })
    await withKey.call('getPet')
    expect(withKey.api.requests[0]?.headers).toMatchObject({ 'x-key': 'canary-header' })
  })

  it('that is missing blocks the tool before anyone calls it', async () => {
    const { surface, call, api } = await open([{ Header: [] }, { Strange: [] }], {})
    expect(surface.lookup('api.shop.getPet')).toMatchObject({ reason: 'credential_missing' })
    expect(surface.record.blocked_tools).toMatchObject([
      { tool_id: 'api.shop.addPet', reason: 'credential_missing' },
      { tool_id: 'api.shop.getPet', reason: 'credential_missing' },
    ])
    const { error } = await call('getPet')
    expect(error).toMatchObject({
      error_class: 'credential_missing',
      error_code: 'toolcrib.credential_missing',
    })
    expect(error?.message).toContain('"shop" needs a credential (Header): set the variable HEADER.')
    expect(api.requests).toHaveLength(0)
  })

  it.each<[object[], object, string[]]>([
    [[{ Header: [], Query: [] }], {}, ['Header', 'Query']],
    [[{ Header: [] }, { Bearer: [] }], {}, ['Header', 'Bearer']],
    [[{ Header: [] }, {}], {}, []],
    [[{ Header: [] }], { credentials: { Header: { scheme: 'none' } } }, []],
    [[], { credentials: {} }, []],
    [[], { credentials: { Own: { source: 'env', name: 'OWN' } } }, ['Own']],
  ])('of %j with %j stands in the record of the tool: %j', async (security, settings, names) => {
    const { crib } = await open(security, {}, { settings })
    expect(toInterface(crib.tool('api.shop.getPet')!)).toMatchObject({
      required_credentials: names,
      requires_setup: names.length > 0,
    })
  })

  it.each([
    ['Strange', 'not supported'],
    ['Absent', 'not defined in the document'],
  ])('of the scheme %s is %s: it blocks the tool, and says so', async (scheme, why) => {
    const { surface, call } = await open([{ [scheme]: [] }], {}, { settings: { credentials: {} } })
    expect(surface.lookup('api.shop.getPet')).toMatchObject({ reason: 'setup_required' })
    expect((await call('getPet')).error?.message).toContain(`security scheme "${scheme}", which is ${why};`)
  })

  it('that comes or changes later is used without a restart', async () => {
    const env: Record<string, string> = {}
    const { call, api } = await open([{ Header: [] }], env)
    expect((await call('getPet')).error?.error_class).toBe('credential_missing')
    env['HEADER'] = 'canary-first'
    expect((await call('getPet')).status).toBe('succeeded')
    env['HEADER'] = 'canary-second'
    expect((await call('getPet')).status).toBe('succeeded')
    expect(api.requests.map(({ headers }) => headers['x-key'])).toEqual(['canary-first', 'canary-second'])
  })

  it('that is refused is renewed once', async () => {
    const env = { HEADER: 'canary-old' }
    const answer: Answer = ({ headers }, response) => {
      if (headers['x-key'] === 'canary-good') return { ok: true }
      env.HEADER = 'canary-good'
      response.writeHead(401, { 'x-request-id': 'r-401' }).end()
      return undefined
    }
    const { call, api } = await open([{ Header: [] }], env, { answer })
    expect((await call('addPet')).status).toBe('succeeded')
    expect(api.requests).toHaveLength(2)
  })

  it('that expires early is asked for again, once', async () => {
    const tokens: string[] = []
    const api = await startApi(({ url, headers }, response) => {
      if (url === '/token') {
        tokens.push(`canary-token-${tokens.length + 1}`)
        return { access_token: tokens.at(-1), token_type: 'Bearer', expires_in: 3600 }
      }
      if (headers.authorization === 'Bearer canary-token-2') return { ok: true }
      response.writeHead(401).end()
      return undefined
    })
    const flows = { clientCredentials: { tokenUrl: `${api.url}/token`, scopes: {} } }
    const document = documentOf(
      { '/pet': { get: bare('getPet', { security: [{ Login: [] }] }) } },
      { components: { securitySchemes: { Login: { type: 'oauth2', flows } } } },
    )
    const { call } = await openTools({
      document: writeDocument(document),
      server: api.url,
      env: { SECRET: 'canary-client-secret' },
      credentials: {
        Login: {
          grant: 'client_credentials',
          client_id: 'shop',
          client_secret: { source: 'env', name: 'SECRET' },
          token_url: `${api.url}/token`,
        },
      },
    })
    expect((await call('getPet')).structured_content).toEqual({ ok: true })
    expect((await call('getPet')).status).toBe('succeeded')
    expect(tokens).toHaveLength(2)
  })

  it('that stays refused is a failure that names the request', async () => {
    const answer: Answer = (_, response) => void response.writeHead(401, { 'x-request-id': 'r-401' }).end()
    const { call, api } = await open([{ Header: [] }], { HEADER: 'canary-old' }, { answer })
    expect((await call('getPet')).error).toMatchObject({
      error_class: 'credential_missing',
      error_code: 'toolcrib.api_refused',
      toolcrib: { native: { status: 401, request_id: 'r-401', security_scheme_refs: ['Header'] } },
    })
    expect(api.requests).toHaveLength(1)
  })

  it.each([
    [[{ Header: [] }], {}, 'Check the credential (Header): see "credentials" of the API in the config.'],
    [[{ Header: [] }, {}], { credentials: {} }, 'No credential was sent'],
  ])('that is refused is named in the message (%j)', async (security, settings, words) => {
    const answer: Answer = (_, response) => void response.writeHead(401).end('Go away')
    const { call } = await open(security, { HEADER: 'canary-old' }, { answer, settings })
    const { error } = await call('getPet')
    expect(error?.message).toContain(`shop answered 401 Unauthorized: Go away. ${words}`)
  })

  it('is sent to no other host, also where the API redirects there', async () => {
    const other = await startApi(() => ({}))
    for (const status of [301, 302, 303, 307, 308]) {
      const answer: Answer = (_, response) =>
        void response.writeHead(status, { location: `${other.url}/steal` }).end()
      const settings = { redirectHosts: [new URL(other.url).host] }
      const { call } = await open(
        [{ Header: [], Query: [] }],
        { HEADER: 'canary-header', QUERY: 'canary-query' },
        { answer, settings },
      )
      expect((await call('getPet')).status).toBe('failed')
      expect((await call('addPet')).status).toBe('failed')
    }
    expect(other.requests).toHaveLength(0)
  })

  it('follows a redirect on the same host', async () => {
    const answer: Answer = ({ url, headers }, response) => {
      if (url === '/new') return { key: headers['x-key'] === 'canary-header' }
      response.writeHead(307, { location: '/new' }).end()
      return undefined
    }
    const { call } = await open([{ Header: [] }], { HEADER: 'canary-header' }, { answer })
    expect((await call('getPet')).structured_content).toEqual({ key: true })
  })

  it('cannot be replaced by an argument of the call', async () => {
    const api = await startApi(({ headers, url }) => ({ headers, url }))
    const parameters = [
      { name: 'X-Key', in: 'header', schema: { type: 'string' } },
      { name: 'api_key', in: 'query', schema: { type: 'string' } },
      { name: 'Authorization', in: 'header', schema: { type: 'string' } },
    ]
    const document = documentOf(
      { '/pet': { get: bare('getPet', { parameters, security: [{ Header: [], Query: [] }] }) } },
      { components: { securitySchemes: SCHEMES } },
    )
    const { call } = await openTools({
      document: writeDocument(document),
      server: api.url,
      credentials: fromEnv,
      env: { HEADER: 'canary-header', QUERY: 'canary-query' },
    })
    await call('getPet', { 'X-Key': 'mine', api_key: 'mine' })
    expect(api.requests[0]).toMatchObject({
      url: '/pet?api_key=canary-query',
      headers: { 'x-key': 'canary-header' },
    })
  })

  it('of the config that the document does not name is sent with every operation without security', async () => {
    const api = await startApi(({ headers }) => ({ headers }))
    const { call } = await openTools({
      document: writeDocument(documentOf({ '/pet': { get: bare('getPet') } })),
      server: api.url,
      credentials: { own: { scheme: 'api-key', source: 'env', name: 'OWN', header: 'X-Own' } },
      env: { OWN: 'canary-own' },
    })
    const result = await call('getPet')
    expect(api.requests[0]?.headers).toMatchObject({ 'x-own': 'canary-own' })
    expect(JSON.stringify(result)).not.toContain('canary')
  })
})
