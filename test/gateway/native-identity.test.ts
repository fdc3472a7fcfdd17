import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCrib, memoryStore, type Crib, type ToolResult } from 'toolcrib'
import { createGateway, createMcpServers, serveHttp, type HttpDoor, type McpServers } from '../../src/mcp.js'
import { startReferenceServer } from '../peers/reference-server.mjs'
import { connectOld, startEverythingOverHttp } from './peers.js'

let upstream: Awaited<ReturnType<typeof startEverythingOverHttp>>
let servers: McpServers
let crib: Crib
let door: HttpDoor
let direct: Client
let through: Client

beforeAll(async () => {
  upstream = await startEverythingOverHttp()
  servers = createMcpServers({ web: { url: upstream.url, protocolVersion: '2025-11-25' } })
  crib = await createCrib({
    sources: servers.sources,
    decider: () => ({ behavior: 'allow' }),
    store: memoryStore(),
  })
  await servers.settled(20_000)
  const info = { name: 'house', version: '1.0.0' }
  const gateway = createGateway({ crib, servers, surfaces: { default: {} }, info })
  door = await serveHttp({ gateway, authenticate: undefined })
  ;[direct, through] = await Promise.all([connectOld(upstream.url), connectOld(`${door.url}/mcp`)])
}, 60_000)

afterAll(async () => {
  await direct?.close()
  await through?.close()
  await door?.close()
  await crib?.close()
  await servers?.close()
  await upstream?.stop()
})

async function callOf(name: string, input: object): Promise<ToolResult> {
  return crib.call(await crib.surface({ scope: 'session' }), { name, input })
}

test('[AT-KIND-02] [AT-EX-08] [AT-MAP-01] [AT-MCP-02] [AT-MCP-03] a tool of a server keeps its native identity beside its id', () => {
  const declaration = crib.declaration('mcp.web.get-sum')!
  expect(declaration).toMatchObject({ tool_id: 'mcp.web.get-sum', namespace: 'mcp.web' })
  expect(declaration.external_mappings).toEqual([
    {
      source: 'mcp',
      server_id: 'web',
      server_name: 'web',
      mcp_protocol_version: '2025-11-25',
      method: 'tools/call',
      tool_name: 'get-sum',
    },
  ])
})

test('[AT-EXEC-03] [AT-MCP-01] a result says by which request, session and revision it came', async () => {
  const { toolcrib } = await callOf('mcp.web.echo', { message: 'hi' })
  expect(toolcrib!['native']).toEqual({
    protocol: 'mcp',
    server: 'web',
    request_id: expect.anything(),
    mcp_session_id: servers.get('web')!.facts()!.sessionId,
    protocol_version: '2025-11-25',
  })
})

test('[AT-EXEC-03] a call that the server refuses says the same of itself', async () => {
  const reference = await startReferenceServer()
  const settings = { url: reference.url, protocolVersion: '2026-07-28' }
  const others = createMcpServers({ other: { ...settings, trusted: true } })
  const desk = await createCrib({
    sources: others.sources,
    store: memoryStore(),
    decider: () => ({ behavior: 'allow' }),
  })
  try {
    await others.settled(10_000)
    const surface = await desk.surface({ scope: 'session' })
    const { error } = await desk.call(surface, { name: 'mcp.other.test_missing_capability', input: {} })
    expect(error?.toolcrib?.['native']).toMatchObject({
      protocol: 'mcp',
      server: 'other',
      request_id: expect.anything(),
      protocol_version: '2026-07-28',
      error: { code: -32_021 },
    })
  } finally {
    await desk.close()
    await others.close()
    await reference.close()
  }
})

test('[AT-INPUT-07] [AT-INTER-01] [AT-MCP-05] a list says of each tool what its server says of it, with our name around it', async () => {
  const [own, served] = [(await direct.listTools()).tools, (await through.listTools()).tools]
  expect(own.length).toBeGreaterThan(5)
  for (const tool of own) {
    const name = `web__${tool.name}`
    expect(served.find((each) => each.name === name)).toEqual({ ...tool, name })
  }
})

test('[AT-MCP-04] [AT-MCP-05] links, embedded resources, data and errors come as the server gave them', async () => {
  for (const [name, input] of [
    ['get-resource-links', { count: 2 }],
    ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
    ['get-structured-content', { location: 'Chicago' }],
    ['get-tiny-image', {}],
    ['get-resource-reference', { resourceType: 'Text', resourceId: -1 }],
  ] as const) {
    const own = await direct.callTool({ name, arguments: input })
    const { _meta: meta, ...rest } = await through.callTool({ name: `web__${name}`, arguments: input })
    expect(rest, name).toEqual(own)
    // Ours stands beside it, under a key of its own.
    expect(meta).toMatchObject({ 'dev.toolcrib/call': { invocationId: expect.stringMatching(/^inv_/) } })
  }
})

test('[AT-MCP-06] a tool of a server is found by its name while its schema stays out of the prompt', async () => {
  const surface = await crib.surface({ scope: 'session', session: 's2', deferral: { never: ['mcp.web.*'] } })
  expect(surface.standing('mcp.web.echo')).toMatchObject({
    tool_id: 'mcp.web.echo',
    namespace: 'mcp.web',
    schema_visibility: 'deferred',
    loading_state: 'discoverable',
    native_ref: { source: 'mcp', server_name: 'web', tool_name: 'echo' },
  })
  expect(await surface.search('select:mcp__web__echo')).toMatchObject({
    query_type: 'select',
    matches: ['mcp.web.echo'],
    next_action: 'load_schema_then_call',
  })
})
