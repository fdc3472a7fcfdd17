// A whole API as tools. orders-api/ is a shop with an OpenAPI document; its operations are called through the command
// line, the library and an MCP gateway. Everything is on this machine, and nothing is left behind.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createCrib, memoryStore } from 'toolcrib'
import { createGateway, serveHttp, tokenTable } from 'toolcrib/mcp'
import { openapiSource } from 'toolcrib/openapi'
import { startOrdersApi } from './orders-api/orders-api.mjs'

const KEY = 'key-of-the-shop'
const shop = await startOrdersApi({ key: KEY })
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-example-'))

/** With the command: the API is an entry of toolcrib.yaml in a folder. */
async function throughTheCommandLine() {
  const bin = fileURLToPath(new URL('../bin/toolcrib.js', import.meta.url))
  const env = { ...process.env, TOOLCRIB_HOME: join(folder, 'home'), XDG_CONFIG_HOME: join(folder, 'config') }
  async function toolcrib(args, input = '') {
    const running = promisify(execFile)(process.execPath, [bin, ...args], { cwd: folder, env })
    running.child.stdin.end(input)
    const { stdout } = await running
    return stdout
  }
  const name = 'api.orders.createOrder'
  const create = ['call', name, 'body.item=rope', 'body.quantity=1', '--allow', name]

  await toolcrib(['add', 'openapi', shop.document, '--name', 'orders', '--yes'])
  await assert.rejects(toolcrib(create), /run toolcrib secrets set orders\/shopKey/)
  await toolcrib(['secrets', 'set', 'orders/shopKey'], KEY)
  const created = await toolcrib(create)
  console.log(created.trimEnd()) // {"id":"o-6","item":"rope","quantity":1,"status":"open"}
  assert.equal(JSON.parse(created).id, 'o-6')

  await assert.rejects(toolcrib([...create, '--deny', 'WebFetch(domain:127.0.0.1)']), /permission_denied/)
}

/** With the library: the document becomes a source of tools. */
async function throughTheLibrary() {
  const env = {} // instead of process.env, so that the key can be set below
  const crib = await createCrib({
    sources: [
      openapiSource({
        name: 'orders',
        document: shop.document,
        credentials: { shopKey: { source: 'env', name: 'SHOP_KEY' } },
        env,
      }),
    ],
    permission: {
      allow: ['api.orders.*'],
      deny: ['api.orders.*(url:*/admin/*)', 'api.orders.*(operation:cancelOrder)'],
    },
    store: memoryStore(),
  })
  const surface = await crib.surface()
  const call = (name, input = {}) => crib.call(surface, { name: `api.orders.${name}`, input })

  const order = await call('getOrder', { id: 'o-1' })
  console.log(order.status, order.structured_content.item) // succeeded bolts
  assert.equal(order.structured_content.item, 'bolts')

  const pages = await call('listOrders', { limit: 2, max_pages: 3 })
  assert.equal(pages.structured_content.items.length, 6, 'three pages are one list')

  const unknown = await call('getOrder', { id: 'o-99' })
  console.log(unknown.error.message) // orders answered 404 Not Found: There is no order o-99.
  assert.equal(unknown.error.error_class, 'execution_failed')

  // Tools that need a key are blocked, with the reason, before anyone calls them.
  const blocked = surface.record.blocked_tools.find(({ name }) => name === 'createOrder')
  console.log(blocked.message) // "orders" needs a credential (shopKey): set the variable SHOP_KEY.
  assert.equal(blocked.reason, 'credential_missing')
  env.SHOP_KEY = KEY
  const created = await call('createOrder', { body: { item: 'tape', quantity: 3 } })
  assert.equal(created.structured_content.id, 'o-7')

  for (const [name, input] of [
    ['resetShop', {}], // denied by its path
    ['cancelOrder', { id: 'o-1' }], // denied by its operation
  ])
    assert.equal((await call(name, input)).error.error_class, 'permission_denied')
  await crib.close()
}

/** With any MCP client: the API is behind the gateway. */
async function throughMcp() {
  const crib = await createCrib({
    sources: [openapiSource({ name: 'orders', document: shop.document, include: ['tag:stock', 'getOrder'] })],
    permission: { allow: ['api.orders.*'] },
    store: memoryStore(),
  })
  const gateway = createGateway({ crib, surfaces: { default: {} }, info: { name: 'shop', version: '1.0.0' } })
  const token = 'a-token-that-only-ada-has'
  const server = await serveHttp({ gateway, authenticate: tokenTable([{ actor: 'ada', token }]) })
  const client = new Client({ name: 'example', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url), { requestInit }))
    const names = (await client.listTools()).tools.map((tool) => tool.name)
    assert.deepEqual(names, ['orders__getOrder', 'orders__stockReport'])
    const report = await client.callTool({ name: 'orders__stockReport', arguments: {} })
    console.log(report.content[0].text.split('\n', 2).join(' ')) // item,pieces bolts,10
    assert.match(report.content[0].text, /^tape,3$/m)
  } finally {
    await client.close()
    await server.close()
    await gateway.close()
    await crib.close()
  }
}

try {
  await throughTheCommandLine()
  await throughTheLibrary()
  await throughMcp()
} finally {
  await shop.close()
  rmSync(folder, { recursive: true })
}
