import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createMcpServers } from '../../../src/sources/mcp/create-mcp-servers.js'
import { exchangeOf } from './support/exchange.js'
import { openGateway } from './support/open-gateway.js'

const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const deep = '['.repeat(20_000) + ']'.repeat(20_000)
const plain = JSON.stringify({
  name: 'plain',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
})
const facts = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
  serverInfo: { name: 'deep', version: '1' },
}

/** What the server sends for each method, as text. Some answers are nested too deeply. */
const answers: Readonly<Record<string, string>> = {
  initialize: `"result":${JSON.stringify(facts)}`,
  'tools/list': `"result":{"tools":[${plain},{"name":"deep","inputSchema":{"type":"object"},"_meta":{"d":${deep}}}]}`,
  'resources/list': `"result":{"resources":[{"uri":"demo://one","name":"one"},{"uri":"demo://two","name":"two","_meta":{"d":${deep}}}]}`,
  'resources/templates/list': '"result":{"resourceTemplates":[]}',
  'resources/read': `"result":{"contents":[{"uri":"demo://one","text":"x","_meta":{"d":${deep}}}]}`,
  'prompts/list': '"result":{"prompts":[{"name":"hello"}]}',
  'prompts/get': `"error":{"code":-32000,"message":"no","data":${deep}}`,
  'completion/complete': `"result":{"completion":{"values":[]},"d":${deep}}`,
}

/** Sends a notification that is nested too deeply before the answer to a call. */
function callStream(id: string): string {
  const notification = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":${deep}}}`
  return `data: ${notification}\n\ndata: {"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"ok"}]}}\n\n`
}

async function openSession() {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string }
    if (id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end()
    if (method === 'tools/call')
      return void response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(callStream(JSON.stringify(id)))
    const answer = answers[method!] ?? '"error":{"code":-32601,"message":"Method not found"}'
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${answer}}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections())))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const servers = createMcpServers({ deep: { url, trusted: true } })
  closing.push(() => servers.close())
  const crib = { tools: [], sources: servers.sources, permission: { openReads: true } }
  const { session } = await openGateway({ crib, gateway: { servers } })
  await servers.settled(10_000)
  return session('legacy')
}

test('messages of a server that are nested too deeply are not forwarded, and other messages are not affected', async () => {
  const session = await openSession()
  const ask = (method: string, params: object = {}) =>
    session.handle(method, params as Record<string, unknown>, exchangeOf())
  const tooDeep = { message: expect.stringContaining('nested deeper than 200 levels') }

  await expect(ask('resources/read', { uri: 'demo://one' })).rejects.toMatchObject(tooDeep)
  const ref = { type: 'ref/prompt', name: 'deep__hello' }
  const argument = { name: 'a', value: '' }
  await expect(ask('completion/complete', { ref, argument })).rejects.toMatchObject(tooDeep)
  const refused = ask('prompts/get', { name: 'deep__hello' })
  await expect(refused).rejects.toMatchObject({ code: -32_000, message: 'no', data: undefined })
  expect(await ask('resources/list')).toEqual({ resources: [{ uri: 'demo://one', name: 'one' }] })

  const nested: unknown = JSON.parse(deep)
  const refusedParams = { code: -32_602, message: expect.stringContaining('deeper than 200 levels') }
  const prompt = ask('prompts/get', { name: 'deep__hello', arguments: { nested } })
  await expect(prompt).rejects.toMatchObject(refusedParams)
  const withMeta = session.handle('tools/call', { name: 'deep__plain' }, exchangeOf({ meta: { nested } }))
  await expect(withMeta).rejects.toMatchObject(refusedParams)

  expect(await ask('tools/list')).toMatchObject({ tools: [{ name: 'deep__plain' }] })

  const exchange = exchangeOf({ meta: { progressToken: 1 } })
  const called = await session.handle('tools/call', { name: 'deep__plain' }, exchange)
  expect(called).toMatchObject({ content: [{ type: 'text', text: 'ok' }] })
  expect(exchange.sent).toEqual([])
})
