import { describe, expect, it } from 'vitest'
import { bare, documentOf, openTools, query, writeDocument, type Document } from './open-tools.js'
import { startApi } from './start-api.js'

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }

const PATHS: Document = {
  '/pets': {
    get: bare('listPets', {
      tags: ['pets'],
      summary: 'Lists pets.',
      parameters: [query('kind'), query('limit', 'integer')],
    }),
    post: bare('addPet', {
      tags: ['pets'],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['name', 'owner'],
              properties: { name: { type: 'string' }, owner: { type: 'string' }, tag: { type: 'string' } },
            },
          },
        },
      },
    }),
  },
  '/pets/{id}': {
    parameters: [ID],
    get: bare('getPet'),
    head: bare('checkPet'),
    put: bare('replacePet'),
    patch: bare('changePet'),
    delete: bare('deletePet'),
    options: bare('optionsOfPet'),
  },
  '/store': { get: bare('getStore', { tags: ['Store'], deprecated: true }) },
}

/** An API that returns what it got. */
const startEcho = () => startApi(({ method, url, body }) => ({ method, url, body }))

const names = (tools: Awaited<ReturnType<typeof openTools>>): string[] =>
  tools.crib
    .tools()
    .filter(({ source }) => source === 'openapi:shop')
    .map(({ draft }) => draft.name)
    .toSorted()

describe('an operation', () => {
  it('[AT-KIND-03] [AT-INTER-02] [AT-SCEN-17] is a declaration with its native ids', async () => {
    const { url } = await startEcho()
    const security = { security: [{ Key: [], Login: ['read'] }, { Token: [] }] }
    const document = documentOf(
      { ...PATHS, '/bare': { get: { responses: {} } }, '/safe': { get: bare('safe', security) } },
      {
        components: {
          securitySchemes: {
            Key: { type: 'apiKey', in: 'header', name: 'X-Key' },
            Login: { type: 'http', scheme: 'basic' },
            Token: { type: 'http', scheme: 'bearer' },
          },
        },
      },
    )
    const { crib } = await openTools({ document: writeDocument(document), server: `${url}/v1` })
    const server = { source: 'openapi', server_id: 'shop', server_url: `${url}/v1` }
    expect(crib.declaration('api.shop.getPet')).toMatchObject({
      tool_id: 'api.shop.getPet',
      namespace: 'api.shop',
      tool_kind: 'openapi_operation',
      lifecycle: 'available',
      external_mappings: [{ ...server, operation_id: 'getPet', method: 'GET', path: '/pets/{id}' }],
    })
    expect(crib.declaration('api.shop.getPet')).not.toHaveProperty('annotations')
    expect(crib.declaration('api.shop.get_bare')?.external_mappings).toEqual([
      { ...server, method: 'GET', path: '/bare' },
    ])
    expect(crib.declaration('api.shop.safe')?.external_mappings).toEqual([
      {
        ...server,
        operation_id: 'safe',
        method: 'GET',
        path: '/safe',
        security_scheme_refs: ['Key', 'Login', 'Token'],
      },
    ])
    expect(crib.declaration('api.shop.getStore')).toMatchObject({
      lifecycle: 'deprecated',
      annotations: { tags: ['Store'] },
    })
  })

  it('[AT-SCEN-17] has the native ids of its request in its result', async () => {
    const api = await startApi((_, response) => {
      response.setHeader('x-request-id', 'req-7')
      return { ok: true }
    })
    const tools = await openTools({
      document: writeDocument(documentOf(PATHS)),
      server: api.url,
      credentials: { Key: { source: 'env', name: 'SHOP_KEY' } },
      env: { SHOP_KEY: 'canary-key-1234' },
    })
    const { toolcrib } = await tools.call('getPet', { id: '7' })
    expect(toolcrib!['native']).toEqual({
      source: 'openapi',
      server_id: 'shop',
      operation_id: 'getPet',
      method: 'GET',
      path: '/pets/{id}',
      server_url: `${api.url}/`,
      security_scheme_refs: ['Key'],
      status: 200,
      request_id: 'req-7',
    })
  })

  it('says who sends its requests', async () => {
    const api = await startEcho()
    const tools = await openTools({ document: writeDocument(documentOf(PATHS)), server: api.url })
    await tools.call('listPets')
    expect(api.requests[0]!.headers['user-agent']).toMatch(/^toolcrib\/\d/)
    const named = await openTools({
      document: writeDocument(documentOf(PATHS)),
      server: api.url,
      headers: { 'User-Agent': 'my-agent' },
    })
    await named.call('listPets')
    expect(api.requests[1]!.headers['user-agent']).toBe('my-agent')
  })
})

describe('the facts of an operation', () => {
  const EXTRA: Document = {
    '/search': { query: bare('search'), additionalOperations: { PURGE: bare('purge'), GET2: bare('get2') } },
  }

  async function factsOf(settings: object = {}): Promise<Record<string, unknown>> {
    const document = { ...documentOf({ ...PATHS, ...EXTRA }), openapi: '3.2.0' }
    const { crib } = await openTools({
      document: writeDocument(document),
      server: 'https://shop.example',
      ...settings,
    })
    return Object.fromEntries(
      crib
        .tools()
        .filter(({ source }) => source === 'openapi:shop')
        .map(({ draft }) => {
          const { is_read_only: reads, is_destructive: destroys, is_open_world: open } = draft.facts
          const what = destroys === true ? 'destroys' : reads === true ? 'reads' : 'writes'
          return [draft.name, open === true ? what : `${what} inside`]
        }),
    )
  }

  it('follow from its method', async () => {
    expect(await factsOf()).toEqual({
      listPets: 'reads',
      addPet: 'writes',
      getPet: 'reads',
      checkPet: 'reads',
      replacePet: 'writes',
      changePet: 'writes',
      deletePet: 'destroys',
      optionsOfPet: 'writes',
      getStore: 'reads',
      search: 'reads',
      purge: 'writes',
      get2: 'writes',
    })
  })

  it('are no reason for trust where the document is not trusted', async () => {
    const facts = await factsOf({ trusted: false })
    expect(facts).toMatchObject({
      listPets: 'writes',
      checkPet: 'writes',
      search: 'writes',
      deletePet: 'destroys',
    })
    const stated = await factsOf({ trusted: false, operations: { listPets: { readOnly: true } } })
    expect(stated).toMatchObject({ listPets: 'reads', getPet: 'writes' })
  })

  it('follow the config where it says otherwise', async () => {
    const operations = {
      addPet: { readOnly: true },
      'GET /pets/{id}': { readOnly: false },
      deletePet: { destructive: false },
      replacePet: { destructive: true },
      getStore: { destructive: true },
    }
    expect(await factsOf({ operations })).toMatchObject({
      addPet: 'reads',
      getPet: 'writes',
      deletePet: 'writes',
      replacePet: 'destroys',
      getStore: 'destroys',
    })
  })
})

describe('a rule', () => {
  async function call(deny: string) {
    const api = await startEcho()
    const tools = await openTools(
      {
        document: writeDocument(documentOf(PATHS)),
        server: `${api.url}/v1`,
        redirectHosts: ['cdn.example:8443'],
      },
      { permission: { deny: [deny.replace('SERVER', api.url)], mode: 'bypass' } },
    )
    const { error } = await tools.call('getPet', { id: 'a/b' })
    const why = error?.error_class ?? 'none'
    return { denied: ['permission_denied', 'blocked_tool'].includes(why), sent: api.requests.length }
  }

  it.each([
    'WebFetch(domain:127.0.0.1)',
    'WebFetch(domain:cdn.example)',
    'api.shop.getPet',
    'api.shop.*(url:SERVER/v1/pets/*)',
    'api.shop.*(url:SERVER/v1/pets/a%2Fb)',
    'api.shop.*(operation:get*)',
    'api.shop.*(arg:id=a/b)',
  ])('%s denies a call that it means', async (rule) => {
    expect(await call(rule)).toEqual({ denied: true, sent: 0 })
  })

  it.each([
    'WebFetch(domain:other.example)',
    'api.shop.*(url:SERVER/v1/orders/*)',
    'api.shop.*(operation:list*)',
    'api.shop.*(arg:id=c)',
  ])('%s does not deny another call', async (rule) => {
    expect(await call(rule)).toEqual({ denied: false, sent: 1 })
  })
})

describe('the config', () => {
  it('includes and excludes operations by name, tag, method and path', async () => {
    const document = writeDocument(documentOf(PATHS))
    const open = async (settings: object) => names(await openTools({ document, ...settings }))
    expect(await open({ include: ['tag:pets', 'GET /pets/*'] })).toEqual(['addPet', 'getPet', 'listPets'])
    expect(await open({ include: ['/store'] })).toEqual(['getStore'])
    expect(await open({ include: ['*Pet'], exclude: ['DELETE *', 'GET /pets/{id}', 'checkPet'] })).toEqual([
      'addPet',
      'changePet',
      'optionsOfPet',
      'replacePet',
    ])
    expect(await open({ exclude: ['tag:store', '/pets/*'] })).toEqual(['addPet', 'listPets'])
  })

  it('renames and describes operations, under whose new names they are called', async () => {
    const api = await startEcho()
    const tools = await openTools({
      document: writeDocument(documentOf(PATHS)),
      server: api.url,
      operations: { listPets: { name: 'all_pets', description: 'All of them.' } },
    })
    expect(names(tools)).toContain('all_pets')
    expect(names(tools)).not.toContain('listPets')
    expect(tools.crib.declaration('api.shop.all_pets')).toMatchObject({
      description: 'All of them.',
      external_mappings: [{ operation_id: 'listPets' }],
    })
    expect((await tools.call('all_pets')).structured_content).toMatchObject({ url: '/pets' })
  })

  it('sets values that calls need not give, and values that calls cannot change', async () => {
    const api = await startEcho()
    const tools = await openTools({
      document: writeDocument(documentOf(PATHS)),
      server: api.url,
      defaults: { limit: 10, 'body.tag': 'new' },
      fixed: { kind: 'dog' },
      operations: { addPet: { fixed: { 'body.owner': 'ann' } } },
    })
    const inputOf = (name: string) =>
      tools.crib.declaration(`api.shop.${name}`)!.input_contract!.model_input_schema as Record<string, object>
    expect(inputOf('listPets')).toMatchObject({ properties: { limit: { type: 'integer', default: 10 } } })
    expect(inputOf('listPets')['properties']).not.toHaveProperty('kind')
    const body = (inputOf('addPet')['properties'] as Record<string, Record<string, object>>)['body']!
    expect(body['required']).toEqual(['name'])
    expect(Object.keys(body['properties']!)).toEqual(['name', 'tag'])

    expect((await tools.call('listPets')).structured_content).toMatchObject({
      url: '/pets?kind=dog&limit=10',
    })
    expect((await tools.call('listPets', { limit: 3 })).structured_content).toMatchObject({
      url: '/pets?kind=dog&limit=3',
    })
    // The schema of the document allows no other members.
    expect((await tools.call('listPets', { kind: 'cat' })).error?.error_class).toBe(
      'schema_validation_failed',
    )
    const added = await tools.call('addPet', { body: { name: 'Rex', owner: 'eve' } })
    expect(JSON.parse((added.structured_content as { body: string }).body)).toEqual({
      name: 'Rex',
      owner: 'ann',
      tag: 'new',
    })
  })

  it('sets values of bodies that are shared, optional, lists, or have dots in their names', async () => {
    const api = await startEcho()
    const json = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } })
    const owned = { type: 'object', required: ['owner'], properties: { owner: { type: 'string' } } }
    const Pet = {
      allOf: [
        owned,
        {
          type: 'object',
          properties: { name: { type: 'string' }, friend: { $ref: '#/components/schemas/Pet' } },
        },
      ],
    }
    const document = documentOf(
      {
        '/pet': { post: bare('addPet', json({ $ref: '#/components/schemas/Pet' })) },
        '/pets': { post: bare('addPets', json({ type: 'array', items: { type: 'string' } })) },
        '/find': {
          get: bare('find', {
            parameters: [query('filter.kind'), query('filter'), query('page[size]', 'integer')],
          }),
        },
      },
      { components: { schemas: { Pet } } },
    )
    const tools = await openTools({
      document: writeDocument(document),
      server: api.url,
      fixed: { 'body.owner': 'ann' },
      defaults: { 'body.name': 'Rex', 'filter.kind': 'dog', 'page[size]': 5 },
    })
    const bodyOf = async (name: string, input: object) => {
      const { structured_content: sent } = await tools.call(name, input)
      return (sent as { body: string }).body
    }
    const schema = tools.crib.declaration('api.shop.addPet')!.input_contract!.model_input_schema!
    const { body } = schema['properties'] as Record<string, object>
    expect(JSON.stringify(body).replace(/"friend".*/, '')).not.toContain('owner')
    expect(JSON.parse(await bodyOf('addPet', { body: {} }))).toEqual({ owner: 'ann', name: 'Rex' })
    expect(JSON.parse(await bodyOf('addPet', {}))).toEqual({ owner: 'ann' })
    expect(await bodyOf('addPets', { body: ['a'] })).toBe('["a"]')
    expect((await tools.call('find')).structured_content).toMatchObject({
      url: '/find?filter.kind=dog&page%5Bsize%5D=5',
    })
  })

  it('sets headers that no call can change', async () => {
    const api = await startApi(({ headers }) => ({ tenant: headers['x-tenant'] }))
    const parameters = [{ name: 'X-Tenant', in: 'header', schema: { type: 'string' } }]
    const tools = await openTools({
      document: writeDocument(documentOf({ '/pet': { get: bare('getPet', { parameters }) } })),
      server: api.url,
      headers: { 'X-Tenant': 'ours' },
    })
    expect((await tools.call('getPet', { 'X-Tenant': 'theirs' })).structured_content).toEqual({
      tenant: 'ours',
    })
  })

  it('reports names that mean no operation, once', async () => {
    const tools = await openTools({
      document: writeDocument(documentOf(PATHS)),
      exclude: ['deletPet'],
      operations: { 'GET /pet': { readOnly: true } },
    })
    expect(tools.problems).toEqual([
      'The API "shop" has no operation "deletPet", which its "exclude" names; did you mean "deletePet"?',
      'The API "shop" has no operation "GET /pet", which its "operations" name; did you mean "GET /pets"?',
    ])
  })
})
