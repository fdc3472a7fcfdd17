import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { defineTool, memoryStore } from 'toolcrib'
import { ConnectionLost } from '../../../../src/sources/mcp/connection/connection.js'
import { listPages } from '../../../../src/sources/mcp/tools/list-pages.js'
import { retryDelayMs } from '../../../../src/platform/async/retry-delay.js'
import {
  nextState,
  type ServerEvent,
  type ServerState,
} from '../../../../src/sources/mcp/servers/server-state.js'
import { compileFacts } from '../../../../src/catalog/facts.js'
import { toDeclaration } from '../../../../src/catalog/records/to-declaration.js'
import { toExecutionProfile, toInterface } from '../../../../src/catalog/records/to-profiles.js'
import { toDraft } from '../../../../src/sources/mcp/tools/to-draft.js'
import { parseTool } from '../../../../src/sources/mcp/tools/tool-definition.js'
import { toolFacts } from '../../../../src/sources/mcp/tools/tool-facts.js'
import { createGate, openCrib } from '../../../scenarios/open-crib.js'
import { until } from '../../../until.js'
import { pretendConnection, type PretendConnection } from './pretend-connection.js'
import { callOf, openWith, startServers, textOf, turns } from './start-servers.js'

const echo = { name: 'echo', inputSchema: { type: 'object' } }
const text = (value: string) => ({ content: [{ type: 'text', text: value }] })

describe('the state of a server', () => {
  test('is ready only while it is connected', () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('dialing' as const), at: fc.nat() }),
      fc.record({ kind: fc.constant('listed' as const), at: fc.nat() }),
      fc.record({ kind: fc.constant('list_failed' as const), at: fc.nat(), reason: fc.string() }),
      fc.constant({ kind: 'stopped' as const }),
      fc.record({
        kind: fc.constant('gone' as const),
        at: fc.nat(),
        reason: fc.string(),
        comesBack: fc.boolean(),
        random: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events: ServerEvent[]) => {
        let state: ServerState = { is: 'idle' }
        let isConnected = false
        for (const each of events) {
          state = nextState(state, each)
          if (each.kind === 'dialing') isConnected = true
          if (each.kind === 'gone' || each.kind === 'stopped') isConnected = false
          expect(['connecting', 'ready', 'degraded'].includes(state.is)).toBe(isConnected)
          expect(nextState({ is: 'disabled' }, each)).toEqual({ is: 'disabled' })
        }
      }),
    )
  })

  test('waits longer after each failure, between a second and a minute', () => {
    for (const random of [0, 0.5, 1]) {
      const delays = Array.from({ length: 30 }, (_, index) => retryDelayMs(index + 1, random))
      expect(delays).toEqual(delays.toSorted((a, b) => a - b))
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(1000)
      expect(Math.max(...delays)).toBeLessThanOrEqual(60_000)
    }
  })
})

describe('pages', () => {
  test('are all loaded, with the shortest time to live', async () => {
    const pages = [
      { tools: [{ name: 'a' }], nextCursor: '1', ttlMs: 5000 },
      { tools: [{ name: 'b' }, 7], ttlMs: 3000 },
    ]
    const listed = await listPages(async (params) => pages[Number(params?.['cursor'] ?? 0)]!, 'tools')
    expect(listed).toMatchObject({ entries: [{ name: 'a' }, { name: 'b' }], ttlMs: 3000, problem: undefined })
  })

  test('a server whose pages repeat or never end is cut off', async () => {
    const circle = await listPages(async () => ({ tools: [{ name: 'a' }], nextCursor: 'same' }), 'tools')
    expect(circle.entries.length).toBe(2)
    expect(circle.problem).toContain('lead back')
    let page = 0
    const endless = await listPages(async () => ({ tools: [], nextCursor: String(page++) }), 'tools')
    expect(endless.problem).toContain('1000 pages')
    const long = { tools: Array.from({ length: 20_000 }, () => ({})) }
    expect((await listPages(async () => long, 'tools')).entries.length).toBe(10_000)
  })
})

describe('a list from an earlier run', () => {
  test('is available at once, and its tools wait for their server', async () => {
    const store = memoryStore()
    const keep = memoryStoreThatStays(store)
    const connect = async (options: Parameters<typeof pretendConnection>[0]) =>
      pretendConnection(options, (method) => (method === 'tools/list' ? { tools: [echo] } : text('hi')))
    const first = await openWith({ one: {} }, { store: keep, servers: { connect } })
    await first.crib.close()

    const gate = createGate<PretendConnection>()
    let dialled: Parameters<typeof pretendConnection>[0] | undefined
    const second = await openWith(
      { one: {} },
      {
        store: keep,
        settleMs: 0,
        servers: {
          connect: (options) => {
            dialled = options
            return gate.promise
          },
        },
      },
    )
    expect(second.crib.tools().map(({ toolId }) => toolId)).toEqual(['mcp.one.echo'])
    expect(second.crib.pendingProviders()).toEqual(['one'])
    const calling = callOf(second.crib, 'mcp.one.echo')
    await turns()
    gate.open(await connect(dialled!))
    expect(textOf(await calling)).toBe('hi')
    expect(second.crib.pendingProviders()).toEqual([])
  })
})

test('a list that changes while the first one is being processed is processed too', async () => {
  const draftOf = (name: string) =>
    defineTool({ name, namespace: 'late', description: 'Does it.', execute: () => 'done' })
  const changed = new Set<() => void>()
  let drafts = [draftOf('first')]
  const crib = await openCrib({
    sources: [
      {
        name: 'late',
        async list() {
          const listed = drafts
          if (drafts.length === 1) {
            drafts = [...drafts, draftOf('second')]
            queueMicrotask(() => changed.forEach((tell) => tell()))
          }
          return listed
        },
        watch(tell) {
          changed.add(tell)
          return () => changed.delete(tell)
        },
      },
    ],
  })
  await crib.caughtUp()
  expect(crib.tools().map(({ toolId }) => toolId)).toEqual(['late.first', 'late.second'])
})

describe('the hints of a tool', () => {
  const hints = { readOnlyHint: true, destructiveHint: false, openWorldHint: false, idempotentHint: true }
  test.each([
    ['is not trusted', hints, false, {}, undefined],
    [
      'is not trusted',
      { destructiveHint: true, openWorldHint: true },
      false,
      { is_destructive: true, is_open_world: true },
      undefined,
    ],
    [
      'is trusted',
      hints,
      true,
      { is_read_only: true, is_concurrency_safe: true, is_destructive: false, is_open_world: false },
      true,
    ],
    ['is trusted', { readOnlyHint: false }, true, { is_read_only: false, is_destructive: true }, undefined],
    [
      'is trusted',
      { readOnlyHint: true, destructiveHint: true },
      true,
      { is_read_only: false, is_destructive: true },
      undefined,
    ],
    ['is trusted and says nothing', undefined, true, {}, undefined],
  ])('of a server that %s: %j', (_, annotations, isTrusted, facts, isIdempotent) => {
    expect(toolFacts(annotations, isTrusted)).toEqual({ facts, isIdempotent })
  })
})

describe('a tool without hints', () => {
  const destructive = (annotations: object | undefined, trusted: boolean) => {
    const definition = parseTool({ name: 'work', inputSchema: { type: 'object' }, annotations })!
    const draft = toDraft(definition, {
      server: 'one',
      isTrusted: trusted,
      timeoutMs: undefined,
      protocolVersion: undefined,
      changed: undefined,
      call: async () => undefined,
    })
    const { is_destructive, origins } = compileFacts(draft)({})
    const named = { toolId: 'mcp.one.work', draft } as never
    expect(toInterface(named).is_destructive).toBe(is_destructive)
    return [is_destructive, origins.is_destructive]
  }

  test('gets the defaults of the protocol and the standard: a tool that may write may destroy, and the origin is default', () => {
    expect(destructive(undefined, false)).toEqual([true, 'default'])
    expect(destructive(undefined, true)).toEqual([true, 'default'])
    expect(destructive({ readOnlyHint: true }, false)).toEqual([true, 'default'])
    expect(destructive({ destructiveHint: false }, false)).toEqual([true, 'default'])
    expect(destructive({ readOnlyHint: true }, true)).toEqual([false, 'declared'])
    expect(destructive({ destructiveHint: false }, true)).toEqual([false, 'declared'])
    expect(destructive({ destructiveHint: true }, false)).toEqual([true, 'declared'])
  })

  test('is stated neither as strict nor as cancellable', () => {
    const raw = { name: 'work', inputSchema: { type: 'object', properties: { a: {} } } }
    const origin = { server: 'one', isTrusted: true, timeoutMs: undefined, protocolVersion: undefined }
    const call = async () => undefined
    const draft = toDraft(parseTool(raw)!, { ...origin, changed: undefined, call })
    const named = { toolId: 'mcp.one.work', draft, source: 'mcp:one', providerName: 'work' } as never
    const { toolcrib, ...stated } = toInterface(named)
    expect(stated).not.toHaveProperty('strict')
    expect(toolcrib?.['origins']).not.toHaveProperty('strict')
    expect(toDeclaration(named).input_contract).not.toHaveProperty('strict')
    expect(stated.abort_semantics).toBe('best_effort')
    expect(toExecutionProfile(named)).toMatchObject({
      supports_cancel: false,
      toolcrib: { cancel: 'passed_on_unconfirmed' },
    })
  })
})

describe('a call', () => {
  test('whose request never arrived is sent once more on a new connection', async () => {
    const made: PretendConnection[] = []
    let calls = 0
    const { crib } = await openWith(
      { one: {} },
      {
        servers: {
          connect: async (options) => {
            const connection = pretendConnection(options, (method) => {
              if (method === 'tools/list') return { tools: [echo] }
              if (++calls > 1) return text('there')
              connection.die('It broke.')
              throw new ConnectionLost('It broke.', { mayHaveRun: false })
            })
            made.push(connection)
            return connection
          },
        },
      },
    )
    expect(textOf(await callOf(crib, 'mcp.one.echo'))).toBe('there')
    expect(made.length).toBe(2)
  })

  test('follows a task of the later era, and passes its questions to the client', async () => {
    let status = 'working'
    const connection = vi.fn(async (options: Parameters<typeof pretendConnection>[0]) =>
      pretendConnection(
        options,
        (method, params) => {
          const task = { taskId: 't', status, pollIntervalMs: 1, statusMessage: status }
          switch (method) {
            case 'tools/list':
              return { tools: [echo] }
            case 'tools/call':
              return { resultType: 'task', ...task }
            case 'tasks/update':
              status =
                JSON.stringify(params['inputResponses']) === '{"q":{"action":"accept"}}'
                  ? 'completed'
                  : 'failed'
              return { resultType: 'complete' }
            case 'tasks/get':
              if (status === 'working') status = 'input_required'
              return {
                ...task,
                status,
                ...(status === 'input_required' && {
                  inputRequests: { q: { method: 'elicitation/create', params: {} } },
                }),
                ...(status === 'completed' && { result: text('with an answer') }),
              }
            default:
              throw new Error(`no ${method}`)
          }
        },
        { era: 'modern', capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } } },
      ),
    )
    const { crib } = await openWith(
      { one: { url: 'http://127.0.0.1' } },
      { servers: { connect: connection } },
    )
    const client = {
      capabilities: { elicitation: {} },
      ask: vi.fn(async () => ({ q: { action: 'accept' } })),
      notify: vi.fn(),
      wantsProgress: false,
    }
    expect(textOf(await callOf(crib, 'mcp.one.echo', {}, { client }))).toBe('with an answer')
    expect(client.ask).toHaveBeenCalledTimes(1)
    const { asked } = (await connection.mock.results[0]!.value) as PretendConnection
    expect(asked.find(({ method }) => method === 'tools/call')!.params['_meta']).toEqual({
      'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    })
  })
})

describe('lists beside tools', () => {
  test('are loaded once, again when they have changed, and never from a server that has none', async () => {
    let connection: PretendConnection | undefined
    const servers = startServers(
      { one: {} },
      {
        connect: async (options) =>
          (connection = pretendConnection(
            options,
            (method) => ({ [method.split('/').at(-2)!]: [{ uri: 'a:b', name: 'b' }], tools: [] }),
            { capabilities: { resources: {} } },
          )),
      },
    )
    const server = servers.get('one')!
    const events: string[] = []
    server.onEvent(({ kind }) => events.push(kind))
    expect(await server.resources()).toHaveLength(1)
    await server.resources()
    expect(await server.prompts()).toEqual([])
    connection!.options.onNotification('notifications/resources/list_changed', {})
    await server.resources()
    expect(connection!.asked.map(({ method }) => method)).toEqual(['resources/list', 'resources/list'])
    expect(events).toContain('resources')
  })

  test('a resource is subscribed once, and again after the server was away', async () => {
    const made: PretendConnection[] = []
    const servers = startServers(
      { one: {} },
      {
        connect: async (options) => {
          made.push(
            pretendConnection(options, () => ({ tools: [] }), {
              capabilities: { resources: { subscribe: true } },
            }),
          )
          return made.at(-1)!
        },
      },
    )
    const server = servers.get('one')!
    const [endFirst, endSecond] = [await server.subscribe('a:b'), await server.subscribe('a:b')]
    made[0]!.die('It broke.')
    await server.request('ping', undefined)
    await until(
      () => made[1]!.asked.some(({ method }) => method === 'resources/subscribe'),
      'the second time',
    )
    await endFirst()
    await endSecond()
    expect(made[0]!.asked.map(({ method }) => method)).toEqual(['resources/subscribe'])
    expect(made[1]!.asked.map(({ method }) => method).filter((method) => method !== 'ping')).toEqual([
      'resources/subscribe',
      'resources/unsubscribe',
    ])
  })
})

/** A store that outlives the cribs that use it. */
function memoryStoreThatStays(store: ReturnType<typeof memoryStore>): ReturnType<typeof memoryStore> {
  return new Proxy(store, {
    get: (target, name) =>
      name === 'close'
        ? async () => {}
        : typeof Reflect.get(target, name) === 'function'
          ? Reflect.get(target, name).bind(target)
          : Reflect.get(target, name),
  })
}
