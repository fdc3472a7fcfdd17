import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCrib, memoryStore, type Crib, type ToolResult } from 'toolcrib'
import {
  createGateway,
  createMcpServers,
  serveHttp,
  type GatewayServer,
  type McpServers,
} from '../../../src/mcp.js'
import { startReferenceServer } from '../../peers/reference-server.mjs'
import { connectOld, startEverythingOverHttp } from './peers.js'

let upstream: Awaited<ReturnType<typeof startEverythingOverHttp>>
let servers: McpServers
let crib: Crib
let server: GatewayServer
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
  const info = { name: 'gateway', version: '1.0.0' }
  const gateway = createGateway({ crib, servers, surfaces: { default: {} }, info })
  server = await serveHttp({ gateway, authenticate: undefined })
  ;[direct, through] = await Promise.all([connectOld(upstream.url), connectOld(`${server.url}/mcp`)])
}, 60_000)

afterAll(async () => {
  await direct?.close()
  await through?.close()
  await server?.close()
  await crib?.close()
  await servers?.close()
  await upstream?.stop()
})

// The server writes the time of day into a resource, and two calls may fall into two seconds.
const withoutClock = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replace(/created at [^"]*/g, 'created at some time'))

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

test('[AT-SCEN-17] [AT-EXEC-03] [AT-MCP-01] a result says by which request, session and revision it came', async () => {
  const { toolcrib } = await callOf('mcp.web.echo', { message: 'hi' })
  expect(toolcrib!['native']).toEqual({
    source: 'mcp',
    server_id: 'web',
    method: 'tools/call',
    jsonrpc_request_id: expect.anything(),
    mcp_session_id: servers.get('web')!.facts()!.sessionId,
    mcp_protocol_version: '2025-11-25',
  })
})

test('[AT-EXEC-03] a call that the server refuses says the same of itself', async () => {
  const reference = await startReferenceServer()
  const settings = { url: reference.url, protocolVersion: '2026-07-28' }
  const others = createMcpServers({ other: { ...settings, trusted: true } })
  const other = await createCrib({
    sources: others.sources,
    store: memoryStore(),
    decider: () => ({ behavior: 'allow' }),
  })
  try {
    await others.settled(10_000)
    const surface = await other.surface({ scope: 'session' })
    const { error } = await other.call(surface, { name: 'mcp.other.test_missing_capability', input: {} })
    expect(error?.toolcrib?.['native']).toMatchObject({
      source: 'mcp',
      server_id: 'other',
      jsonrpc_request_id: expect.anything(),
      mcp_protocol_version: '2026-07-28',
      error: { code: -32_021 },
    })
  } finally {
    await other.close()
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
    expect(withoutClock(rest), name).toEqual(withoutClock(own))
    // Ours stands beside it, under a key of its own.
    expect(meta).toMatchObject({ 'dev.toolcrib/call': { invocationId: expect.stringMatching(/^inv_/) } })
  }
})

test('links and embedded resources are listed in resource_refs, with id, access and relation', async () => {
  const { resource_refs: links } = await callOf('mcp.web.get-resource-links', { count: 2 })
  expect(links).toHaveLength(2)
  for (const link of links!)
    expect(link).toMatchObject({
      ref_id: link.uri,
      uri: expect.stringMatching(/:\/\//),
      access: 'native_protocol',
      relation: 'linked',
      native_ref: { source: 'mcp', server_id: 'web', method: 'resources/read', uri: link.uri },
    })
  const input = { resourceType: 'Text', resourceId: 1 }
  const { resource_refs: held, content } = await callOf('mcp.web.get-resource-reference', input)
  const { resource } = content!.find(({ type }) => type === 'embedded_resource')!
  expect(held).toMatchObject([
    { ref_id: resource!['uri'], media_type: 'text/plain', access: 'inline', relation: 'embedded' },
  ])
})

test('an interface has the native ids of its tool, by the names of the standard', async () => {
  const { interface_ref: ref } = crib.declaration('mcp.web.echo')!
  expect(await crib.resolveRef(ref!)).toMatchObject({
    native_ids: { server_id: 'web', tool_name: 'echo', mcp_protocol_version: '2025-11-25' },
  })
})

test('a call tells the name that the client wrote', async () => {
  const { _meta: meta } = await through.callTool({ name: 'web__echo', arguments: { message: 'hi' } })
  const { invocationId } = meta!['dev.toolcrib/call'] as { invocationId: string }
  expect(await crib.invocation(invocationId)).toMatchObject({
    tool_id: 'mcp.web.echo',
    toolcrib: { requested_name: 'web__echo' },
  })
})

test('[AT-MCP-06] a tool of a server is found by its name while its schema stays out of the prompt', async () => {
  const surface = await crib.surface({ scope: 'session', session: 's2', deferral: { never: ['mcp.web.*'] } })
  expect(surface.lookup('mcp.web.echo')).toMatchObject({
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
