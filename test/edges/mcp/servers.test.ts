import { expect, test } from 'vitest'
import type { SurfaceSettings } from '../../../src/edges/mcp/gateway-options.js'
import type { JsonObject } from '../../../src/foundation/mcp/json-rpc.js'
import type { ConnectOptions, McpConnection } from '../../../src/supply/sources/mcp/connection.js'
import { pretendConnection } from '../../sources/mcp-servers/pretend-connection.js'
import { startServers } from '../../sources/mcp-servers/start-servers.js'
import { exchangeOf } from './support/exchange.js'
import { openDoor, textOf } from './support/open-door.js'

const reads = { inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
const permission = { openReads: true }
const hello = { era: 'legacy', protocolVersion: '2025-11-25', clientInfo: {}, capabilities: {} } as const

interface Behind {
  readonly tools?: readonly string[]
  readonly result?: JsonObject
  /** It is connected to when this resolves. */
  readonly opens?: Promise<void>
}

async function openBehind(
  servers: Record<string, Behind>,
  surfaces: Record<string, SurfaceSettings> = { default: {} },
) {
  const connect = async (options: ConnectOptions & { name?: string }): Promise<McpConnection> => {
    const name = String(options.settings.command)
    const { tools = ['t'], result, opens } = servers[name]!
    await opens
    const answer = (method: string) =>
      method === 'tools/list'
        ? { tools: tools.map((each) => ({ ...reads, name: each, description: `${each} of ${name}` })) }
        : (result ?? { content: [{ type: 'text', text: `from ${name}` }] })
    const made = pretendConnection(options, answer)
    return { ...made, facts: { ...made.facts, instructions: `INSTRUCTIONS of ${name}` } }
  }
  const settings = Object.fromEntries(
    Object.keys(servers).map((name) => [name, { command: name, trusted: true }]),
  )
  const mcp = startServers(settings, { connect })
  return openDoor({
    crib: { tools: [], sources: mcp.sources, permission },
    gateway: { servers: mcp, surfaces, startGraceMs: 200 },
  })
}

test('a client hears the instructions of the servers that it has something of, and of no others', async () => {
  const door = await openBehind({ up: {}, hidden: {} }, { default: { include: ['mcp.up.*'] } })
  const { instructions } = (await door.session('legacy')).hello(hello)
  expect(instructions).toContain('INSTRUCTIONS of up')
  expect(instructions).not.toContain('INSTRUCTIONS of hidden')
})

test('a call waits for a server that is still being connected to', async () => {
  let open!: () => void
  const door = await openBehind({ slow: { opens: new Promise((resolve) => (open = resolve)) } })
  const session = await door.session('legacy')
  expect(await session.handle('tools/list', {}, exchangeOf())).toEqual({ tools: [] })
  const waits = session.handle('tools/call', { name: 'slow__t' }, exchangeOf())
  await expect(session.handle('tools/call', { name: 'other__t' }, exchangeOf())).rejects.toMatchObject({
    message: 'Unknown tool: other__t.',
  })
  open()
  expect(textOf(await waits)).toBe('from slow')
})

test('of a server outside of the surface nothing is said, connecting or not', async () => {
  let open!: () => void
  const opens = new Promise<void>((resolve) => (open = resolve))
  const door = await openBehind({ hidden: { opens }, up: {} }, { default: { include: ['mcp.up.*'] } })
  const session = await door.session('legacy')
  for (const name of ['hidden__t', 'mcp.hidden.t', 'mcp__hidden__t'])
    await expect(session.handle('tools/call', { name }, exchangeOf())).rejects.toMatchObject({
      message: `Unknown tool: ${name}.`,
    })
  open()
})

test('a session that came before the servers lists nothing that only many tools need', async () => {
  const surface: SurfaceSettings = { deferral: { way: 'pair', budgetTokens: 20_000 } }
  const opens = new Promise<void>((resolve) => setImmediate(resolve))
  const session = await (await openBehind({ up: { opens } }, { default: surface })).session('legacy')
  expect(await session.handle('tools/list', {}, exchangeOf())).toMatchObject({ tools: [{ name: 'up__t' }] })
})

test('what is deferred is called by its name all the same', async () => {
  const tools = Array.from({ length: 40 }, (_, at) => `filler${at}`)
  const surface: SurfaceSettings = { deferral: { way: 'pair', budgetTokens: 500 } }
  const session = await (await openBehind({ up: { tools } }, { default: surface })).session('legacy')
  const listed = (await session.handle('tools/list', {}, exchangeOf()))['tools'] as { name: string }[]
  expect(listed.map(({ name }) => name)).not.toContain('up__filler37')
  const called = { name: 'up__filler37' }
  expect(textOf(await session.handle('tools/call', called, exchangeOf()))).toContain('tool__search')
  const search = { name: 'tool__search', arguments: { query: 'select:mcp__up__filler37' } }
  await session.handle('tools/call', search, exchangeOf())
  expect(textOf(await session.handle('tools/call', called, exchangeOf()))).toBe('from up')
})

test('an answer whose content is no list is an error, and what says that it is none stays so', async () => {
  const broken = await openBehind({ up: { result: { content: 'text' } } })
  const result = await (await broken.session('legacy')).handle('tools/call', { name: 'up__t' }, exchangeOf())
  expect(result).toMatchObject({ isError: true })
  expect(textOf(result)).toContain('no list')
  const plain = await openBehind({ up: { result: { content: [], isError: false } } })
  const said = await (await plain.session('legacy')).handle('tools/call', { name: 'up__t' }, exchangeOf())
  expect(said).toMatchObject({ content: [], isError: false })
})
