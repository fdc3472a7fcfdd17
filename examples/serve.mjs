// One endpoint in front of a tool of one's own and of a server: who holds the token calls both, and every call is on record.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createCrib, defineTool, memoryStore } from 'toolcrib'
import { createGateway, createMcpServers, serveHttp, tokenTable } from 'toolcrib/mcp'
import { z } from 'zod'

const manifest = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/package.json',
)
const TOKEN = 'a-token-that-only-ada-has'

const add = defineTool({
  namespace: 'math',
  name: 'add',
  description: 'Add two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  isReadOnly: true,
  isOpenWorld: false,
  execute: async ({ a, b }) => ({ sum: a + b }),
})

const servers = createMcpServers({
  everything: { command: process.execPath, args: [join(dirname(manifest), 'dist/index.js')] },
})
const crib = await createCrib({
  tools: [add],
  sources: servers.sources,
  permission: { allow: ['mcp.everything.echo'], deny: ['mcp.everything.get-env'] },
  store: memoryStore(),
})
const gateway = createGateway({
  crib,
  servers,
  surfaces: { default: {}, numbers: { include: ['math.*'] } },
  info: { name: 'workshop', version: '1.0.0' },
})
const server = await serveHttp({ gateway, authenticate: tokenTable([{ actor: 'ada', token: TOKEN }]) })

async function connect(path, token = TOKEN) {
  const client = new Client({ name: 'example', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(path, server.url), { requestInit }))
  return client
}

try {
  const client = await connect('/mcp')
  const names = (await client.listTools()).tools.map(({ name }) => name)
  assert.ok(names.includes('math__add') && names.includes('everything__echo'))
  assert.ok(!names.includes('everything__get-env'), 'what is denied is not there')

  const sum = await client.callTool({ name: 'math__add', arguments: { a: 1, b: 2 } })
  const echo = await client.callTool({ name: 'everything__echo', arguments: { message: 'hi' } })
  console.log(sum.structuredContent, echo.content[0].text) // { sum: 3 } Echo: hi
  assert.deepEqual(sum.structuredContent, { sum: 3 })
  await client.close()

  const numbers = await connect('/mcp/numbers')
  assert.deepEqual(
    (await numbers.listTools()).tools.map(({ name }) => name),
    ['math__add'],
  )
  await numbers.close()
  await assert.rejects(connect('/mcp', 'a-token-of-somebody-else'))

  const called = []
  for await (const { tool_id: id } of crib.invocations()) called.push(id)
  assert.deepEqual(called.sort(), ['math.add', 'mcp.everything.echo'])
} finally {
  await server.close()
  await gateway.close()
  await crib.close()
  await servers.close()
}
