import { Ajv2020 } from 'ajv/dist/2020.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { expect, test } from 'vitest'
import { defineTool, toolOutput, type CribOptions } from 'toolcrib'
import { fromToolCall, toolList, toolResultFor } from 'toolcrib/formats'
import type { GatewaySession, InitializeRequest } from '../../../src/edges/mcp/gateway.js'
import { nameTools } from '../../../src/edges/mcp/tools/served-names.js'
import { createCatalogTool } from '../../../src/catalog/catalog-tool.js'
import { exchangeOf } from './support/exchange.js'
import { add, openGateway, textOf } from './support/open-gateway.js'

const sum = { name: 'sums__add', arguments: { a: 1, b: 2 } }

test('the list has names that providers accept, and calls find tools by any of their names', async () => {
  const session = await (await openGateway()).session('legacy')
  const { tools } = await session.handle('tools/list', {}, exchangeOf())
  expect(tools).toMatchObject([
    { name: 'notes__write' },
    { name: 'people__greet' },
    { name: 'sums__add', title: 'Add', annotations: { readOnlyHint: true } },
  ])
  const result = await session.handle('tools/call', sum, exchangeOf())
  expect(result).toMatchObject({
    structuredContent: { sum: 3 },
    _meta: {
      'dev.toolcrib/call': {
        invocationId: expect.stringMatching(/^inv_/),
        status: 'succeeded',
        decision: { behavior: 'allow', source: expect.any(String) },
      },
    },
  })
  expect(result).not.toHaveProperty('resultType')
  expect(result).not.toHaveProperty('isError')
  const again = await session.handle('tools/call', { ...sum, name: 'sums.add' }, exchangeOf())
  expect(again).toMatchObject({ structuredContent: { sum: 3 } })
})

test('modern results state their type and how long they may be cached', async () => {
  const session = await (await openGateway()).session('modern')
  const exchange = exchangeOf({ era: 'modern' })
  const hints = { resultType: 'complete', cacheScope: 'private', ttlMs: 5000 }
  expect(await session.handle('tools/list', {}, exchange)).toMatchObject(hints)
  for (const method of ['resources/list', 'resources/templates/list', 'prompts/list'])
    expect(await session.handle(method, {}, exchange)).toMatchObject(hints)
  expect(await session.handle('tools/call', sum, exchange)).toMatchObject({ resultType: 'complete' })
  await expect(session.handle('logging/setLevel', { level: 'info' }, exchange)).rejects.toMatchObject({
    code: -32601,
  })
})

test('an unknown tool is an error of the protocol, a wrong input an error of the tool', async () => {
  const { session: open } = await openGateway({
    gateway: { surfaces: { default: { exclude: ['notes.*'] } } },
  })
  const session = await open('legacy')
  const refused = (name: unknown) =>
    expect(session.handle('tools/call', { name }, exchangeOf())).rejects.toMatchObject({ code: -32602 })
  await refused('nothing')
  await refused(undefined)
  // By any of its names: a tool outside of the surface looks like one that does not exist.
  for (const name of ['notes__write', 'notes.write'])
    await expect(session.handle('tools/call', { name }, exchangeOf())).rejects.toMatchObject({
      code: -32602,
      message: `Unknown tool: ${name}.`,
    })
  await expect(session.handle('no/such', {}, exchangeOf())).rejects.toMatchObject({ code: -32601 })
  await expect(open('legacy', { surface: 'other' })).rejects.toMatchObject({ code: -32602 })
  const wrong = await session.handle('tools/call', { name: 'sums__add', arguments: { a: 'x' } }, exchangeOf())
  expect(wrong).toMatchObject({
    isError: true,
    _meta: { 'dev.toolcrib/call': { error: 'toolcrib.schema_validation_failed' } },
  })
})

test('a long list comes in pages that survive a change between them', async () => {
  const many = Array.from({ length: 1100 }, (_, index) =>
    defineTool({
      description: 'One of many.',
      name: `t${String(index).padStart(4, '0')}`,
      namespace: 'many',
      execute: () => index,
    }),
  )
  const { crib, session: open } = await openGateway({ crib: { tools: many } })
  const session = await open('legacy')
  const names: string[] = []
  let cursor: unknown
  do {
    const page = await session.handle('tools/list', cursor === undefined ? {} : { cursor }, exchangeOf())
    const tools = page['tools'] as { name: string }[]
    expect(tools.length).toBeLessThanOrEqual(500)
    names.push(...tools.map(({ name }) => name))
    if (cursor === undefined) await crib.retire('many.t0003')
    cursor = page['nextCursor']
  } while (cursor !== undefined)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain('many__t1099')
  expect(names).toHaveLength(1100)
  await expect(session.handle('tools/list', { cursor: 'x' }, exchangeOf())).rejects.toMatchObject({
    code: -32602,
  })
})

test('clients are notified of a changed list', async () => {
  const { crib, session: open } = await openGateway()
  const session = await open('legacy')
  const received: string[] = []
  const notified = new Promise<void>((resolve) => {
    session.listen((method) => {
      received.push(method)
      resolve()
    })
  })
  session.listen((method) => received.push(`filtered ${method}`), { promptsListChanged: true })
  await crib.add([defineTool({ name: 'late', description: 'Comes later.', execute: () => 1 })])
  await notified
  expect(received).toEqual(['notifications/tools/list_changed'])
})

test('progress of a local tool reaches a client that requested it, before the result', async () => {
  const steps = defineTool({
    name: 'steps',
    description: 'Takes steps.',
    isReadOnly: true,
    isOpenWorld: false,
    execute(_input, { progress }) {
      progress({ percent: 50, message: 'first' })
      return 'done'
    },
  })
  const session = await (await openGateway({ crib: { tools: [steps] } })).session('legacy')
  const [{ name }] = (await session.handle('tools/list', {}, exchangeOf()))['tools'] as [{ name: string }]
  const exchange = exchangeOf({ meta: { progressToken: 'p1' } })
  await session.handle('tools/call', { name }, exchange)
  expect(exchange.sent).toEqual([
    {
      method: 'notifications/progress',
      params: { progressToken: 'p1', progress: 50, total: 100, message: 'first' },
    },
  ])
})

test('progress of a server is sent once, also where another tool calls the tool of the server', async () => {
  const remote = {
    ...defineTool({
      name: 'remote',
      namespace: 'mcp.up',
      description: 'Takes steps elsewhere.',
      isReadOnly: true,
      isOpenWorld: false,
      execute(_input, { progress, client }) {
        progress({ percent: 50 })
        client?.tell({ kind: 'progress', progress: 1, total: 2 })
        return 'done'
      },
    }),
    native: {
      protocol: 'mcp',
      definition: { name: 'remote', inputSchema: { type: 'object' } },
    },
  }
  const surfaces = { default: { deferral: { budgetTokens: 1, never: ['mcp.up.*'], way: 'pair' as const } } }
  const opened = await openGateway({ crib: { tools: [remote] }, gateway: { surfaces } })
  const exchange = exchangeOf({ meta: { progressToken: 'p1' } })
  const session = await opened.session('legacy')
  const call = { name: 'tool__call', arguments: { name: 'mcp.up.remote', arguments: {} } }
  await session.handle(
    'tools/call',
    { name: 'tool__search', arguments: { query: 'select:mcp.up.remote' } },
    exchangeOf(),
  )
  expect(await session.handle('tools/call', call, exchange)).toMatchObject({ content: [{ text: 'done' }] })
  expect(exchange.sent).toEqual([
    { method: 'notifications/progress', params: { progressToken: 'p1', progress: 1, total: 2 } },
  ])
})

const ofServer = (server: string, name: string) =>
  createCatalogTool(`mcp:${server}`, {
    ...add,
    namespace: `mcp.${server}`,
    name,
    toolId: undefined,
    native: { protocol: 'mcp', definition: { name, inputSchema: { type: 'object' } } },
    provider: { name: server, key: server },
  })

test('names of server tools are unique, short enough, and the same whatever the order', () => {
  const own = createCatalogTool('own', { ...add, namespace: 'files', name: 'read', toolId: undefined })
  const tools = [
    own,
    ofServer('files', 'read'),
    ofServer('files', 'write'),
    ofServer('memory', 'read'),
    ofServer('memory', 'x'.repeat(100)),
    // A source of another kind whose provider has the same name.
    createCatalogTool('api', {
      ...add,
      namespace: 'api.memory',
      name: 'recall',
      toolId: undefined,
      provider: { name: 'memory', key: 'memory' },
    }),
    ofServer('memory', 'recall'),
  ]
  const named = (style: 'server' | 'bare', list = tools) =>
    Object.fromEntries(nameTools(list, style).map(({ name, tool }) => [tool.toolId, name]))
  expect(named('server')).toMatchObject({
    'files.read': 'files__read',
    'mcp.files.read': 'mcp__files__read',
    'mcp.files.write': 'files__write',
    'mcp.memory.read': 'memory__read',
    'mcp.memory.recall': 'mcp__memory__recall',
    'api.memory.recall': 'api__memory__recall',
  })
  expect(named('bare')).toMatchObject({ 'mcp.files.write': 'write', 'mcp.memory.read': 'memory__read' })
  expect(named('bare', [...tools].reverse())).toEqual(named('bare'))
  for (const name of Object.values(named('server'))) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  for (const style of ['server', 'bare'] as const)
    expect(new Set(Object.values(named(style))).size).toBe(tools.length)
})

test('names, URIs and cursors that are not strings are refused before any lookup', async () => {
  const opened = await openGateway()
  const refused = { code: -32602 }
  for (const era of ['legacy', 'modern'] as const) {
    const session = await opened.session(era)
    const ask = (method: string, params: Record<string, unknown>) =>
      session.handle(method, params, exchangeOf({ era }))
    for (const odd of [['sums__add'], { toString: 'sums__add' }, 1, null, undefined]) {
      await expect(ask('tools/call', { ...sum, name: odd })).rejects.toMatchObject(refused)
      await expect(ask('tools/call', { ...sum, name: odd, requestState: 'x' })).rejects.toMatchObject(refused)
      await expect(ask('prompts/get', { name: odd })).rejects.toMatchObject(refused)
      await expect(ask('prompts/get', { name: odd, requestState: 'x' })).rejects.toMatchObject(refused)
      await expect(ask('resources/read', { uri: odd })).rejects.toMatchObject(refused)
      await expect(ask('tasks/get', { taskId: odd })).rejects.toThrow()
      const ref = { type: 'ref/prompt', name: odd }
      await expect(ask('completion/complete', { ref })).rejects.toMatchObject(refused)
      if (odd === undefined) continue
      for (const list of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])
        await expect(ask(list, { cursor: odd })).rejects.toMatchObject(refused)
    }
  }
})

const text = { type: 'string' }
const closed = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})
const key = `ghp_${'aB3dE6gH'.repeat(5)}`
const long = Array.from({ length: 9000 }, (_, line) => `${line}: a line of "words"`).join('\n')
const words = (text: string) => [{ type: 'text' as const, text }]

interface Promised {
  output: object
  gives: unknown
  more?: object
}

const promises: Record<string, Promised> = {
  rows: {
    output: closed({ rows: { type: 'array', items: { $ref: '#/$defs/row' } } }, { $defs: { row: text } }),
    gives: { rows: long.split('\n') },
  },
  tree: {
    output: { type: 'object', properties: { text, in: { $ref: '#' } }, required: ['text'] },
    gives: { text: long, in: { text: long } },
  },
  told_twice: {
    output: closed({ content: text }),
    gives: toolOutput({ structured: { content: long }, content: words(long) }),
  },
  told_with_facts: {
    output: closed({ file: closed({ content: text, size: { type: 'number' } }) }),
    gives: toolOutput({
      structured: { file: { content: `${long}\n`, size: long.length } },
      content: words(long),
    }),
  },
  bounded_text: {
    output: closed({ content: { type: 'string', minLength: 100_000 } }),
    gives: toolOutput({ structured: { content: long }, content: words(long) }),
  },
  key_by_pattern: { output: closed({ key: { type: 'string', pattern: '^ghp_' } }), gives: { key } },
  sensitive_number: {
    output: closed({ pin: { type: 'number' } }),
    gives: { pin: 1234 },
    more: { sensitiveOutputFields: ['pin'] },
  },
  by_reference: { output: closed({ a: text }), gives: { a: 'b' }, more: { persistence: 'ref_only' } },
  not_given: { output: closed({ a: text }), gives: { a: 'b' }, more: { persistence: 'redact' } },
  not_kept: { output: closed({ a: text }), gives: { a: 'b' }, more: { persistence: 'never_persist' } },
  not_kept_and_long: {
    output: closed({ a: text }),
    gives: { a: long },
    more: { persistence: 'drop_with_reason' },
  },
  partly_redacted: { output: closed({ a: text, b: text }), gives: { a: 'private', b: 'c' } },
  redacted_number: {
    output: closed({ a: { type: 'number' }, b: { enum: ['c'] } }),
    gives: { a: 12345678, b: 'c' },
  },
  redacted_word: { output: closed({ a: { enum: ['private'] }, b: text }), gives: { a: 'private', b: 'c' } },
  redacted_flag: { output: closed({ a: { type: 'boolean' } }), gives: { a: true } },
  all_redacted: { output: closed({ b: text }), gives: { b: 'c' } },
  dropped: { output: closed({ b: text }), gives: { b: 'c' } },
  secret_number: { output: closed({ a: { type: 'integer' }, b: text }), gives: { a: 8_675_309_421, b: 'c' } },
  secret_number_inside: {
    output: closed({ rows: { type: 'array', items: { type: ['integer', 'null'] } } }),
    gives: { rows: [1, null, 8_675_309_421] },
  },
}
const SECRET_NUMBER = '8675309421'

/** What hooks do to the results of tools by these names. */
const persistences: Record<string, object> = {
  all_redacted: { strategy: 'redact', reason: 'not for clients' },
  dropped: { strategy: 'drop_with_reason', reason: 'not for clients' },
}

/** Results with changed data, by the policy of the crib or of the surface. */
const policies = ['redact', 'ref_only', 'drop_with_reason', 'never_persist'] as const

test.each(Object.entries(promises))(
  'clients accept a shortened or redacted success: %s',
  async (name, { output, gives, more }) => {
    const tool = defineTool({
      name,
      namespace: 'given',
      description: 'Gives.',
      isReadOnly: true,
      isOpenWorld: false,
      output: { jsonSchema: output },
      execute: () => gives,
      ...more,
    } as Parameters<typeof defineTool>[0])
    const hook = {
      id: 'hides',
      event: 'result_persistence',
      tools: ['given.*redacted*', 'given.dropped'],
      run: () => ({
        persistence: persistences[name] ?? { strategy: 'redact', reason: 'private', fields: ['a'] },
      }),
    }
    const { crib, session: open } = await openGateway({
      crib: {
        tools: [tool],
        hooks: [hook] as NonNullable<CribOptions['hooks']>,
        redaction: { secrets: [SECRET_NUMBER] },
      },
    })
    const session = await open('legacy')
    await expectTaken(session, `given__${name}`)
    const { tools } = (await session.handle('tools/list', {}, exchangeOf())) as {
      tools: { outputSchema?: object }[]
    }
    const result = await session.handle('tools/call', { name: `given__${name}` }, exchangeOf())
    expect(result).not.toHaveProperty('isError')
    expectAccepted(tools[0]!.outputSchema, result['structuredContent'])
    if (JSON.stringify(tools[0]!.outputSchema)?.includes('dev.toolcrib/result') || !tools[0]!.outputSchema)
      return
    // The same in the library.
    const surface = await crib.surface({ scope: 'turn' })
    const asked = { id: 1, method: 'tools/call', params: { name: `given__${name}` } }
    const given = toolResultFor('mcp', await crib.call(surface, fromToolCall('mcp', asked)))
    expect(given.isError).toBe(false)
    expectAccepted(output, given.structuredContent)
  },
)

test.each(policies.flatMap((persistence) => ['crib', 'surface'].map((by) => ({ persistence, by }))))(
  'clients accept a success whose data the $by withholds ($persistence)',
  async ({ persistence, by }) => {
    const tool = defineTool({
      name: 'rows',
      namespace: 'given',
      description: 'Gives.',
      isReadOnly: true,
      isOpenWorld: false,
      output: { jsonSchema: closed({ a: text }) },
      execute: () => ({ a: 'b' }),
    } as Parameters<typeof defineTool>[0])
    const { session: open } = await openGateway({
      crib: { tools: [tool], ...(by === 'crib' && { results: { persistence } }) },
      gateway: { surfaces: { default: by === 'surface' ? { results: { persistence } } : {} } },
    })
    await expectTaken(await open('legacy'), 'given__rows')
  },
)

/** An official client checks each result against the output schema. */
async function expectTaken(session: GatewaySession, name: string): Promise<void> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  far.onmessage = async (message) => {
    if (!('method' in message) || !('id' in message)) return
    const { id, method, params = {} } = message
    const result =
      method === 'initialize'
        ? session.initialize({ era: 'legacy', ...params } as unknown as InitializeRequest)
        : await session.handle(method, params, exchangeOf())
    await far.send({ jsonrpc: '2.0', id, result })
  }
  const client = new Client({ name: 'peer', version: '1.0.0' })
  await client.connect(near)
  await client.listTools()
  const result = await client.callTool({ name, arguments: {} })
  expect(result).not.toHaveProperty('isError')
  expect(JSON.stringify(result)).not.toMatch(new RegExp(`private"|${SECRET_NUMBER}|12345678`))
  expect(result._meta!['dev.toolcrib/call']).toMatchObject({ status: expect.not.stringMatching('failed') })
  await client.close()
}

const tells = defineTool({
  name: 'tell',
  namespace: 'given',
  description: 'Tells.',
  isReadOnly: true,
  isOpenWorld: false,
  execute: () => long,
})
const hint = /Read on with (\S+) and (\{.*?\})/

test.each(['server', 'bare'] as const)(
  'the hint of a preview names the reading tool as the client knows it: %s',
  async (names) => {
    const { session: open } = await openGateway({ crib: { tools: [tells] }, gateway: { names } })
    const session = await open('legacy')
    const result = await session.handle('tools/call', { name: 'given__tell' }, exchangeOf())
    const [, name, input] = hint.exec(textOf(result))!
    const { tools } = (await session.handle('tools/list', {}, exchangeOf())) as { tools: { name: string }[] }
    expect(tools.map((each) => each.name)).toContain(name)
    const wanted = { ...(JSON.parse(input!) as object), line: 8000, lines: 1 }
    const page = await session.handle('tools/call', { name, arguments: wanted }, exchangeOf())
    expect(textOf(page)).toContain('7999: a line of "words"')
  },
)

test('the hint of a preview names the reading tool by its provider name', async () => {
  const { crib } = await openGateway({ crib: { tools: [tells] } })
  const surface = await crib.surface({ scope: 'turn' })
  const asked = { id: 'call_1', type: 'function', function: { name: 'given__tell', arguments: '{}' } }
  const result = await crib.call(surface, fromToolCall('openai', asked))
  const [, name] = hint.exec(toolResultFor('openai', result).content)!
  expect(toolList(surface, 'openai').map((each) => each.function.name)).toContain(name)
})

/** Checks as clients do: a tool with an output schema must return data that matches. */
function expectAccepted(schema: object | undefined, data: unknown): void {
  if (!schema) return
  expect(data).toBeDefined()
  const check = new Ajv2020({ strict: false }).compile(schema)
  check(data)
  expect(check.errors ?? []).toEqual([])
}

/** As an OpenAPI document defines its operations. */
const operation = { operationId: 'getUser', method: 'get', path: '/users/{id}' }

const getUser = (execute: () => { name?: string } | Promise<{ name?: string }>) => ({
  ...defineTool({
    name: 'get_user',
    namespace: 'api',
    description: 'Finds a user.',
    isReadOnly: true,
    isOpenWorld: false,
    input: {
      jsonSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    },
    output: { jsonSchema: { type: 'object', properties: { name: { type: 'string' } } } },
    execute,
  }),
  native: { protocol: 'openapi', definition: operation },
})

const userCall = { name: 'api__get_user', arguments: { id: '7' } }

test('the definition of another protocol is never listed: the tool is described from its neutral draft', async () => {
  // A native definition that names no protocol belongs to no edge.
  const unmarked = { ...getUser(() => ({})), name: 'unmarked', native: operation as never }
  const opened = await openGateway({ crib: { tools: [getUser(() => ({ name: 'Ann' })), unmarked] } })
  const session = await opened.session('legacy')
  const { tools } = await session.handle('tools/list', {}, exchangeOf())
  expect(tools).toHaveLength(2)
  for (const tool of tools as Record<string, unknown>[]) {
    expect(tool).toMatchObject({
      description: 'Finds a user.',
      inputSchema: { type: 'object', required: ['id'] },
      outputSchema: { type: 'object' },
    })
    for (const key of Object.keys(operation)) expect(tool).not.toHaveProperty(key)
  }
  expect(await session.handle('tools/call', userCall, exchangeOf())).toMatchObject({
    structuredContent: { name: 'Ann' },
  })
})

test.each([
  [
    'of another protocol',
    { source: 'openapi', operation_id: 'getUser', error: { status: 404, title: 'No' } },
  ],
  ['of MCP that is no error of it', { source: 'mcp', error: { title: 'No' } }],
  ['without a protocol', { error: { status: 404, title: 'No' } }],
  ['of another protocol that also has codes', { source: 'json-rpc', error: { code: -1, message: 'No' } }],
])('a failure in the format %s is an error of the tool', async (_, native) => {
  const failure = Object.assign(new Error('No such user.'), { errorClass: 'execution_failed', native })
  const tool = getUser(() => {
    throw failure
  })
  const session = await (await openGateway({ crib: { tools: [tool] } })).session('legacy')
  const result = await session.handle('tools/call', userCall, exchangeOf())
  expect(result).toMatchObject({ isError: true, content: [{ text: 'No such user.' }, {}] })
})

test('an answer in the format of another protocol is replaced by the neutral result', async () => {
  const native = { source: 'openapi', _meta: { a: 1 }, more: { status: 200 }, hidden_characters: 3 }
  const tool = getUser(() => toolOutput({ structured: { name: 'Ann' }, content: [], native }) as never)
  const opened = await openGateway({ crib: { tools: [tool] } })
  const result = await (await opened.session('legacy')).handle('tools/call', userCall, exchangeOf())
  expect(result).toMatchObject({ structuredContent: { name: 'Ann' }, content: [{ text: '{"name":"Ann"}' }] })
  expect(result).not.toHaveProperty('status')
  expect(Object.keys(result['_meta'] as object)).toEqual(['dev.toolcrib/call'])
  expect(result['_meta']).not.toHaveProperty(['dev.toolcrib/call', 'hiddenCharacters'])
})
