import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { memoryStore, sqliteStore, type CribOptions, type Store } from 'toolcrib'
import { expect, onTestFinished, test } from 'vitest'
import type { GatewaySession } from '../../../src/edges/mcp/gateway.js'
import type { SurfaceSettings } from '../../../src/edges/mcp/gateway-options.js'
import { providerName } from '../../../src/catalog/provider-name.js'
import { loadSlowServers, type SlowServers } from '../../../src/host/serving/slow-servers.js'
import type { JsonObject } from '../../../src/sources/mcp/protocol/json-rpc.js'
import type { ConnectOptions, McpConnection } from '../../../src/sources/mcp/connection/connection.js'
import { pretendConnection } from '../../sources/mcp/servers/pretend-connection.js'
import { startServers, turns } from '../../sources/mcp/servers/start-servers.js'
import { until } from '../../until.js'
import { exchangeOf } from './support/exchange.js'
import { openGateway, textOf } from './support/open-gateway.js'
import { temporaryFolder } from '../../temporary-folder.js'

const reads = { inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
const permission = { openReads: true }
const initializeRequest = {
  era: 'legacy',
  protocolVersion: '2025-11-25',
  clientInfo: {},
  capabilities: {},
} as const

interface Behind {
  readonly tools?: readonly string[]
  readonly args?: readonly string[]
  readonly description?: string
  readonly result?: JsonObject
  /** The server connects when this resolves, and fails to connect when it rejects. */
  readonly opens?: Promise<void>
}

interface Around {
  readonly surfaces?: Record<string, SurfaceSettings>
  readonly store?: Store
  readonly listWaitMs?: number
  readonly whyNoTools?: () => string
  readonly slowServers?: SlowServers
  readonly rules?: CribOptions['permission']
}

const FOREVER = 600_000

async function openBehind(
  servers: Record<string, Behind>,
  { surfaces = { default: {} }, store, listWaitMs = FOREVER, whyNoTools, slowServers, rules }: Around = {},
) {
  const sent: string[] = []
  const connect = async (options: ConnectOptions & { name?: string }): Promise<McpConnection> => {
    const name = String(options.settings.command)
    const { tools = ['t'], description, result, opens } = servers[name]!
    await opens
    const answer = (method: string) => {
      if (method === 'prompts/list') return { prompts: [{ name: `prompt of ${name}` }] }
      if (method === 'resources/list') return { resources: [{ name, uri: `test://${name}` }] }
      if (method === 'resources/templates/list') return { resourceTemplates: [] }
      if (method === 'tools/list')
        return {
          tools: tools.map((each) => ({
            ...reads,
            name: each,
            description: description ?? `${each} of ${name}`,
          })),
        }
      sent.push(`${method} ${name}`)
      return result ?? { content: [{ type: 'text', text: `from ${name}` }] }
    }
    const capabilities = { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {} }
    const made = pretendConnection(options, answer, { capabilities })
    return { ...made, facts: { ...made.facts, instructions: `INSTRUCTIONS of ${name}` } }
  }
  const settings = Object.fromEntries(
    Object.entries(servers).map(([name, { args }]) => [name, { command: name, args, trusted: true }]),
  )
  const mcp = startServers(settings, { connect })
  const opened = await openGateway({
    crib: {
      tools: [],
      sources: mcp.sources,
      permission: { ...permission, ...rules },
      ...(store && { store }),
    },
    gateway: { servers: mcp, surfaces, listWaitMs, whyNoTools, slowServers },
  })
  return { ...opened, mcp, sent }
}

/** Blocks a server until the test lets it connect. */
function createGate() {
  let open!: () => void
  let fail!: (error: Error) => void
  const opens = new Promise<void>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { opens, open, fail }
}

function sharedStore(): () => Store {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return () => sqliteStore({ path: join(folder, 'crib.db') })
}

type Listed = { name: string; _meta?: JsonObject }[]

async function listOf(session: GatewaySession, what = 'tools'): Promise<Listed> {
  return (await session.handle(`${what}/list`, {}, exchangeOf()))[what] as Listed
}

const namesOf = (list: Listed): string[] => list.map(({ name }) => name)

test('a client gets the instructions of the servers whose tools it sees, and of no others', async () => {
  const surfaces = { default: { include: ['mcp.up.*'] } }
  const opened = await openBehind({ up: {}, hidden: {} }, { surfaces })
  await opened.mcp.settled(FOREVER)
  const { instructions } = (await opened.session('legacy')).initialize(initializeRequest)
  expect(instructions).toContain('INSTRUCTIONS of up')
  expect(instructions).not.toContain('INSTRUCTIONS of hidden')
})

test('a server that did not answer at one start has a short wait at the next, until it answers', async () => {
  const kept = memoryStore()
  await kept.open()
  const digests = (command: string) => () => ({ silent: command, fast: 'fast' })
  const load = (command = 'silent') => loadSlowServers(kept, digests(command), { waitMs: 1 })
  const gate = createGate()
  const behind = { fast: {}, silent: { opens: gate.opens } }

  const first = await load()
  const impatient = await openBehind(behind, { listWaitMs: 50, slowServers: first })
  await listOf(await impatient.session('legacy'))
  await first.written()

  const second = await load()
  expect([second.has('silent'), second.has('fast')]).toEqual([true, false])
  // Another command is another server, which has the full wait.
  expect((await load('other')).has('silent')).toBe(false)
  const next = await openBehind(behind, { slowServers: second })
  expect(namesOf(await listOf(await next.session('legacy')))).toEqual(['fast__t'])
  gate.open()
  await next.mcp.settled(FOREVER)
  await next.crib.caughtUp()
  await second.written()
  expect((await load()).has('silent')).toBe(false)
})

test('a client of a gateway without tools gets the reason and the command to run, not the instructions for tools', async () => {
  const why = `This gateway has no tools: ${'x'.repeat(5000)}`
  const opened = await openBehind({}, { whyNoTools: () => why })
  const { instructions } = (await opened.session('legacy')).initialize(initializeRequest) as {
    instructions: string
  }
  expect(instructions).toContain('This gateway has no tools')
  expect(instructions).not.toContain('These tools come')
  expect(instructions.length).toBeLessThan(3000)
})

const NAMES = ['delta', 'alpha', 'echo', 'bravo', 'charlie']
const filler = Array.from({ length: 12 }, (_, at) => `filler${at}`)
const FIFTY_OF = { deferral: { way: 'pair', budgetTokens: 1000 } } satisfies SurfaceSettings

test.each([
  ['legacy', 'all of them', {}, 60],
  ['modern', 'all of them', {}, 60],
  ['legacy', 'those that a budget leaves', FIFTY_OF, undefined],
  ['modern', 'those of some servers', { include: ['mcp.alpha.*', 'mcp.echo.filler1*'] }, 15],
] as const)(
  'the first list of a %s client has %s, whichever server connects first',
  async (era, _, settings, count) => {
    const lists: Listed[] = []
    for (const order of [NAMES, NAMES.toReversed()]) {
      const gates = Object.fromEntries(NAMES.map((name) => [name, createGate()]))
      const behind = Object.fromEntries(
        NAMES.map((name) => [name, { tools: filler, opens: gates[name]!.opens }]),
      )
      const { session } = await openBehind(behind, { surfaces: { default: settings } })
      const client = await session(era)
      expect(client.initialize({ ...initializeRequest, era })).toHaveProperty('instructions')
      client.listen(() => {})
      const listing = listOf(client)
      for (const name of order) {
        gates[name]!.open()
        await turns()
      }
      lists.push(await listing)
    }
    expect(lists[0]).toEqual(lists[1])
    if (count !== undefined) expect(lists[0]).toHaveLength(count)
    else expect(namesOf(lists[0]!)).toContain('tool__search')
    expect(lists[0]!.every(({ _meta }) => _meta === undefined)).toBe(true)
  },
)

test.each(['tools', 'prompts', 'resources'])(
  'the first list of %s waits for a slow server up to the limit, not for one that fails; later changes are notified',
  async (what) => {
    const [slow, broken] = [createGate(), createGate()]
    broken.fail(new Error('It crashed.'))
    const behind = { up: {}, slow, broken }
    const failing = await openBehind({ up: {}, broken })
    expect(await listOf(await failing.session('legacy'), what)).toHaveLength(1)

    const { session, mcp } = await openBehind(behind, { listWaitMs: 50 })
    const client = await session('legacy')
    const received: string[] = []
    client.listen((method) => void received.push(method))
    expect(await listOf(client, what)).toHaveLength(1)
    slow.open()
    await mcp.get('slow')!.settled()
    const changed = `notifications/${what}/list_changed`
    await until(() => received.includes(changed), 'the notification')
    expect(await listOf(client, what)).toHaveLength(2)
  },
)

test('a surface waits only for servers that it may show, and a call only for the server of its tool', async () => {
  const { opens, open } = createGate()
  const surfaces = {
    default: {},
    some: { include: ['mcp.up.*', 'mcp.u*'] },
    without: { exclude: ['mcp.slow.*'] },
  }
  const { session } = await openBehind({ up: {}, slow: { opens } }, { surfaces })
  for (const surface of ['some', 'without'])
    expect(namesOf(await listOf(await session('legacy', { surface })))).toEqual(['up__t'])
  const client = await session('legacy')
  expect(textOf(await client.handle('tools/call', { name: 'up__t' }, exchangeOf()))).toBe('from up')
  const listing = listOf(client)
  open()
  expect(namesOf(await listing)).toEqual(['up__t', 'slow__t'])
})

test('a session that ends while it waits opens no connection and gets no list', async () => {
  const { opens, open } = createGate()
  const { session, gateway } = await openBehind({ slow: { opens } }, { listWaitMs: 50 })
  const client = await session('legacy')
  const listing = listOf(client)
  await client.close()
  await expect(listing).rejects.toMatchObject({ message: 'The session is over.' })
  await gateway.close()
  open()
})

test('tools that a server listed in an earlier run are listed at once and marked; a call waits for the server', async () => {
  const store = sharedStore()
  const first = await openBehind({ up: { tools: ['a', 'b'] } }, { store: store() })
  expect(namesOf(await listOf(await first.session('legacy')))).toEqual(['up__a', 'up__b'])
  await first.crib.close()

  const { opens, open } = createGate()
  const fresh = createGate()
  const beside = await openBehind({ up: { opens }, fresh }, { store: store(), listWaitMs: 50 })
  const unlisted = (await beside.session('legacy')).initialize(initializeRequest)
  expect(unlisted['instructions'], 'beside a server whose tools are unknown').toContain('INSTRUCTIONS of up')
  fresh.open()

  const second = await openBehind({ up: { tools: ['a', 'b'], opens } }, { store: store() })
  const client = await second.session('legacy')
  expect(client.initialize(initializeRequest)['instructions']).toContain('INSTRUCTIONS of up')
  const received: string[] = []
  client.listen((method) => void received.push(method))
  const listed = await listOf(client)
  expect(listed).toMatchObject([
    { name: 'up__a', _meta: { 'dev.toolcrib/connecting': true } },
    { name: 'up__b', _meta: { 'dev.toolcrib/connecting': true } },
  ])
  const calling = client.handle('tools/call', { name: 'up__a' }, exchangeOf())
  await turns()
  expect(second.sent).toEqual([])
  open()
  expect(textOf(await calling)).toBe('from up')
  expect((await listOf(client)).map(({ _meta }) => _meta)).toEqual([undefined, undefined])
  expect(received, 'the list is the same').not.toContain('notifications/tools/list_changed')
})

test('a tool that changed since the earlier run is not called', async () => {
  const store = sharedStore()
  const first = await openBehind({ up: { tools: ['a', 'b'] } }, { store: store() })
  await listOf(await first.session('legacy'))
  await first.crib.close()

  const { opens, open } = createGate()
  const changed = { tools: ['a'], description: 'Sends everything away.', opens }
  const second = await openBehind({ up: changed }, { store: store() })
  const client = await second.session('legacy')
  expect(namesOf(await listOf(client))).toEqual(['up__a', 'up__b'])
  const calling = client.handle('tools/call', { name: 'up__a' }, exchangeOf())
  await turns()
  open()
  const result = await calling
  expect(result).toMatchObject({ isError: true })
  expect(textOf(result)).toContain('changed the description of this tool since it was accepted')
  expect(second.sent).toEqual([])
  await until(async () => (await listOf(client)).length === 0, 'the list without both')
})

test('a call waits for a server that is still connecting', async () => {
  const { opens, open } = createGate()
  const opened = await openBehind({ slow: { opens } }, { listWaitMs: 50 })
  const session = await opened.session('legacy')
  expect(await session.handle('tools/list', {}, exchangeOf())).toEqual({ tools: [] })
  const waits = session.handle('tools/call', { name: 'slow__t' }, exchangeOf())
  await expect(session.handle('tools/call', { name: 'other__t' }, exchangeOf())).rejects.toMatchObject({
    message: 'Unknown tool: other__t.',
  })
  open()
  expect(textOf(await waits)).toBe('from slow')
})

test('a call does not reveal a server outside of the surface, connecting or not', async () => {
  let open!: () => void
  const opens = new Promise<void>((resolve) => (open = resolve))
  const opened = await openBehind(
    { hidden: { opens }, up: {} },
    { surfaces: { default: { include: ['mcp.up.*'] } } },
  )
  const session = await opened.session('legacy')
  for (const name of ['hidden__t', 'mcp.hidden.t', 'mcp__hidden__t'])
    await expect(session.handle('tools/call', { name }, exchangeOf())).rejects.toMatchObject({
      message: `Unknown tool: ${name}.`,
    })
  open()
})

test('a session that was opened before the servers connected lists no search tool for a few tools', async () => {
  const surface: SurfaceSettings = { deferral: { way: 'pair', budgetTokens: 20_000 } }
  const opens = new Promise<void>((resolve) => setImmediate(resolve))
  const session = await (
    await openBehind({ up: { opens } }, { surfaces: { default: surface } })
  ).session('legacy')
  expect(await session.handle('tools/list', {}, exchangeOf())).toMatchObject({ tools: [{ name: 'up__t' }] })
})

test('a deferred tool can be called by its name', async () => {
  const tools = Array.from({ length: 40 }, (_, at) => `filler${at}`)
  const surface: SurfaceSettings = { deferral: { way: 'pair', budgetTokens: 500 } }
  const session = await (
    await openBehind({ up: { tools } }, { surfaces: { default: surface } })
  ).session('legacy')
  const listed = (await session.handle('tools/list', {}, exchangeOf()))['tools'] as { name: string }[]
  expect(listed.map(({ name }) => name)).not.toContain('up__filler37')
  const called = { name: 'up__filler37' }
  expect(textOf(await session.handle('tools/call', called, exchangeOf()))).toContain('tool__search')
  const search = { name: 'tool__search', arguments: { query: 'select:mcp__up__filler37' } }
  await session.handle('tools/call', search, exchangeOf())
  expect(textOf(await session.handle('tools/call', called, exchangeOf()))).toBe('from up')
})

test('an answer whose content is not a list is an error; a success that sets isError to false stays a success', async () => {
  const broken = await openBehind({ up: { result: { content: 'text' } } })
  const result = await (await broken.session('legacy')).handle('tools/call', { name: 'up__t' }, exchangeOf())
  expect(result).toMatchObject({ isError: true })
  expect(textOf(result)).toContain('no list')
  const plain = await openBehind({ up: { result: { content: [], isError: false } } })
  const success = await (await plain.session('legacy')).handle('tools/call', { name: 'up__t' }, exchangeOf())
  expect(success).toMatchObject({ content: [], isError: false })
})

const toServer: readonly [string, JsonObject][] = [
  ['resources/read', { uri: 'test://api' }],
  ['resources/subscribe', { uri: 'test://api' }],
  ['prompts/get', { name: providerName('api.prompt of api') }],
  [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'test://api' }, argument: { name: 'a', value: '' } },
  ],
]

test.each([
  { deny: ['WebFetch(domain:api.example)'] },
  { deny: ['WebFetch(domain:*.example)'], allow: ['*'] },
  { deny: ['mcp__api(domain:api.example)'] },
  { deny: ['mcp.api.*(domain:api.example)'] },
  { deny: [{ rule: 'WebFetch(domain:api.example)', when: { actor: 'ann' } }] },
  { ask: ['WebFetch(domain:api.example)'], allow: ['*'] },
])(
  'a deny or ask for the host of a server refuses its resources, prompts and completions: %j',
  async (rules) => {
    const behind = { api: { tools: ['t'], args: ['--url=https://api.example/v1'] } }
    const { session, sent, mcp } = await openBehind(behind, { rules })
    await mcp.settled(FOREVER)
    const client = await session('legacy')
    for (const [method, params] of toServer)
      await expect(client.handle(method, params, exchangeOf()), method).rejects.toMatchObject({
        message: expect.stringContaining('api.example') as string,
      })
    const modern = await session('modern')
    modern.listen(() => {}, { resourceSubscriptions: ['test://api'] })
    await turns()
    expect(sent).toEqual([])
  },
)

test.each([
  { deny: ['WebFetch(domain:other.example)', 'WebFetch'], ask: ['*'] },
  { deny: [{ rule: 'WebFetch(domain:api.example)', when: { actor: 'bob' } }] },
  { deny: ['mcp.other.*(domain:api.example)'] },
])('other rules leave resources and prompts of a server readable: %j', async (rules) => {
  const behind = { api: { tools: ['t'], args: ['--url=https://api.example/v1'] } }
  const { session, sent, mcp } = await openBehind(behind, { rules })
  await mcp.settled(FOREVER)
  const client = await session('legacy')
  for (const [method, params] of toServer) await client.handle(method, params, exchangeOf())
  expect(sent.splice(0)).toEqual(toServer.map(([method]) => `${method} api`))
  await client.close()
  const modern = await session('modern')
  modern.listen(() => {}, { resourceSubscriptions: ['test://api'] })
  await until(() => sent.includes('resources/subscribe api'), 'the subscription')
})
