import { expect, test } from 'vitest'
import { lintTools } from '../../../../src/catalog/lint/lint-tools.js'
import { acceptNew, changeOf, NOTHING_KEPT } from '../../../../src/sources/mcp/tools/pins.js'
import { learnList } from '../../../../src/sources/mcp/tools/learn-list.js'
import { listPages } from '../../../../src/sources/mcp/tools/list-pages.js'
import { safeServerName } from '../../../../src/sources/mcp/tools/safe-name.js'
import { serverReach } from '../../../../src/sources/mcp/servers/server-reach.js'
import { createToolList } from '../../../../src/sources/mcp/tools/tool-list.js'
import type { SourceStorage } from '../../../../src/sources/source.js'
import { parseTool } from '../../../../src/sources/mcp/tools/tool-definition.js'
import { until } from '../../../until.js'
import { startHttpPeer } from './http-peer.js'
import { callOf, openWith } from './start-servers.js'

const fine = { name: 'work', inputSchema: { type: 'object' } }
const facts = { protocolVersion: '2025-06-18', instructions: undefined }

test('a definition that is nested too deep is omitted, and the rest of the list works', async () => {
  const depth = 20_000
  const deep = `{"name":"deep","inputSchema":{"type":"object"},"annotations":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`
  const peer = await startHttpPeer(({ method, id }, response) => {
    if (method !== 'tools/list') return false
    const list = `[${JSON.stringify(fine)},${deep}]`
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":${list}}}`)
    return true
  })
  const { crib, servers } = await openWith({ up: { url: peer.url } })
  expect((await callOf(crib, 'mcp.up.work')).status).toBe('succeeded')
  const server = servers.get('up')!
  expect(server.health()).toMatchObject({ state: 'ready', tools: 1 })
  expect(server.notes()).toEqual([
    {
      rule: 'left_out',
      toolId: 'mcp.up.deep',
      message: 'A tool of the server is left out: it is nested more than 64 levels deep.',
    },
  ])
  const findings = await lintTools(await server.source.list(AbortSignal.timeout(5000)), server.notes())
  expect(findings).toMatchObject([{ rule: 'left_out', severity: 'warning' }])
})

test('a list has a limit in bytes, and so does each of its entries', async () => {
  const long = { name: 'long', description: 'x'.repeat(300_000) }
  const listed = await listPages(async () => ({ tools: [long, fine, 5] }), 'tools')
  expect(listed.entries).toEqual([fine])
  expect(listed.leftOut).toEqual([
    { name: 'long', why: 'is longer than 262144 bytes' },
    { name: undefined, why: 'is no object' },
  ])
  let pages = 0
  const page = Array.from({ length: 10 }, () => ({ description: 'x'.repeat(200_000) }))
  const endless = await listPages(async () => ({ tools: page, nextCursor: `c${++pages}` }), 'tools')
  expect(endless.problem).toMatch(/^it lists more than \d+ bytes/)
  expect(pages).toBeLessThan(20)
})

test('a truncated list makes a server degraded', async () => {
  const peer = await startHttpPeer(({ method }, _, say) => {
    if (method !== 'tools/list') return false
    say({ tools: [fine], nextCursor: 'again' })
    return true
  })
  const { servers } = await openWith({ up: { url: peer.url } })
  await until(() => servers.get('up')!.health().state === 'degraded', 'that it is degraded')
  expect(servers.get('up')!.health()).toMatchObject({ reason: expect.stringContaining('was cut') })
})

test('in the later era a tool with invalid header marks is omitted', async () => {
  const bad = {
    name: 'bad',
    inputSchema: { type: 'object', properties: { a: { type: 'object', 'x-mcp-header': 'A' } } },
  }
  const peer = await startHttpPeer(({ method }, _, say) => {
    if (method === 'server/discover') say({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })
    else if (method === 'tools/list') say({ tools: [fine, bad] })
    else return false
    return true
  })
  const { servers } = await openWith({ up: { url: peer.url } })
  const server = servers.get('up')!
  await until(() => server.health().tools === 1, 'the list')
  expect(server.notes()).toMatchObject([{ rule: 'left_out', toolId: 'mcp.up.bad' }])
})

test('a change of loading hints, icons or execution is a change of the tool', () => {
  const tool = parseTool(fine)!
  const kept = acceptNew(NOTHING_KEPT, [tool])
  const changed = (more: object) => changeOf(kept, parseTool({ ...fine, ...more })!)?.changed
  expect(changed({})).toBeUndefined()
  expect(changed({ _meta: { 'example.com/own': 1 } })).toBeUndefined()
  expect(changed({ _meta: { 'anthropic/alwaysLoad': true } })).toEqual(['hints for loading'])
  expect(changed({ icons: [{ src: 'https://example.com/a.png' }] })).toEqual(['icons'])
  expect(changed({ execution: { taskSupport: 'required' } })).toEqual(['way of running'])
})

test('new names do not push out accepted ones, and their number is limited', () => {
  const named = (name: string) => parseTool({ name, inputSchema: { type: 'object' } })!
  let kept = acceptNew(NOTHING_KEPT, [named('first')])
  for (let round = 0; round < 3; round++)
    kept = acceptNew(
      kept,
      Array.from({ length: 10_000 }, (_, at) => named(`t${round}_${at}`)),
    )
  expect(kept.accepted.size).toBe(20_000)
  expect(kept.accepted.has('first')).toBe(true)
  expect(changeOf(kept, named('t2_9999'))).toBeDefined()
})

test('long names of servers with a common beginning stay distinct', () => {
  const start = 'a server '.repeat(8)
  expect(safeServerName(`${start}one`)).not.toBe(safeServerName(`${start}two`))
})

test('a tool whose schema cannot be checked in bounded time is not offered, and its server says why', async () => {
  const step = (at: number) => ({ anyOf: [{ $ref: `#/$defs/l${at + 1}` }, { $ref: `#/$defs/l${at + 1}` }] })
  const $defs = Object.fromEntries(Array.from({ length: 28 }, (_, at) => [`l${at}`, step(at)]))
  const wild = { type: 'object', properties: { a: { $ref: '#/$defs/l0' } }, $defs: { ...$defs, l28: {} } }
  const strange = { type: 'object', properties: { a: { $ref: 'https://example.com/x' } } }
  const tools = [fine, { name: 'wild', inputSchema: wild }, { name: 'strange', inputSchema: strange }]
  const peer = await startHttpPeer(({ method, id }, response) => {
    if (method !== 'tools/list' && method !== 'tools/call') return false
    const result = method === 'tools/list' ? { tools } : { content: [{ type: 'text', text: 'ok' }] }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    return true
  })
  const { crib, servers } = await openWith({ up: { url: peer.url } })
  expect(servers.get('up')!.notes()).toEqual([
    {
      rule: 'left_out',
      toolId: 'mcp.up.wild',
      message:
        'A tool of the server is left out: it has a schema with more than 10000 alternatives for one value.',
    },
  ])
  expect(await callOf(crib, 'mcp.up.strange', { a: 1 })).toMatchObject({
    status: 'succeeded',
    toolcrib: { input_unchecked: true },
  })
  expect((await callOf(crib, 'mcp.up.work', { a: 1 })).toolcrib).not.toHaveProperty('input_unchecked')
})

test('a list that arrives while another is being stored is the one that stays', async () => {
  const kept = new Map<string, { value: unknown }>()
  const storage: SourceStorage = {
    tenant: 'default',
    read: async (_, id) => structuredClone(kept.get(id)),
    async update(_, id, change) {
      const changed = await change(structuredClone(kept.get(id)))
      await new Promise(setImmediate)
      if ('value' in changed) kept.set(id, { value: structuredClone(changed.value) })
      return changed.result
    },
    watch: () => () => {},
  }
  const toolList = createToolList({
    server: 'up',
    isTrusted: false,
    reach: serverReach({ command: 'true' }),
    timeoutMs: undefined,
    onProblem: expect.unreachable,
    call: async () => expect.unreachable(),
  })
  const listOf = (count: number) => ({
    entries: Array.from({ length: count }, (_, at) => ({ ...fine, name: `tool${at}` })),
    leftOut: [],
  })
  await toolList.open(storage)
  for (const list of [listOf(250), listOf(251), listOf(3)]) {
    await toolList.prepare(list.entries, facts)
    toolList.learn(list, facts)
  }
  await toolList.close()
  expect(toolList.drafts()).toHaveLength(3)
  expect(toolList.changed()).toEqual([])
  expect((kept.get('up')!.value as { list: unknown[] }).list).toHaveLength(3)
})

test('a list is processed in steps of one entry', () => {
  const entries = Array.from({ length: 300 }, (_, at) => ({ ...fine, name: `tool${at}` }))
  expect([...learnList(NOTHING_KEPT, entries, facts)].length).toBeGreaterThanOrEqual(entries.length)
})
