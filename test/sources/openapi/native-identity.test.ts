import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCrib, memoryStore, type Crib, type ToolResult } from 'toolcrib'
import { openapiSource } from '../../../src/openapi.js'
import { startOrdersApi, type OrdersApi } from '../../../examples/orders-api/orders-api.mjs'

let api: OrdersApi
let crib: Crib
const env: Record<string, string> = {}

beforeAll(async () => {
  api = await startOrdersApi({ key: 'key-of-the-shop' })
  crib = await createCrib({
    sources: [
      openapiSource({
        name: 'shop',
        document: api.document,
        credentials: { shopKey: { source: 'env', name: 'SHOP_KEY' } },
        operations: { listOrders: { name: 'list' } },
        env,
      }),
    ],
    permission: { allow: ['api.shop.*'] },
    store: memoryStore(),
  })
})

afterAll(async () => {
  await crib?.close()
  await api?.close()
})

async function callOf(name: string, input: object): Promise<ToolResult> {
  return crib.call(await crib.surface({ scope: 'session' }), { name, input })
}

test('[AT-KIND-03] [AT-INTER-02] [AT-MAP-01] [AT-MODEL-02] an operation keeps its id, method, path, server, security and schemas', () => {
  const declaration = crib.declaration('api.shop.createOrder')!
  expect(declaration).toMatchObject({
    tool_id: 'api.shop.createOrder',
    tool_kind: 'openapi_operation',
    title: 'Order something.',
    input_contract: {
      model_input_schema: {
        properties: {
          body: {
            properties: { item: { type: 'string' }, quantity: { type: 'integer', exclusiveMinimum: 0 } },
            required: ['item', 'quantity'],
          },
        },
        required: ['body'],
      },
    },
    output_contract: { structured_schema: { required: ['id', 'item', 'quantity', 'status'] } },
  })
  expect(declaration.external_mappings).toEqual([
    {
      source: 'openapi',
      server_id: 'shop',
      operation_id: 'createOrder',
      method: 'POST',
      path: '/orders',
      server_url: `${api.url}/`,
      security_scheme_refs: ['shopKey'],
    },
  ])
})

test('[AT-MODEL-02] an operation with a name of the config keeps its native id', async () => {
  expect(crib.declaration('api.shop.list')!.external_mappings).toMatchObject([{ operation_id: 'listOrders' }])
  const { toolcrib } = await callOf('api.shop.list', {})
  expect(toolcrib).toMatchObject({ native: { operation_id: 'listOrders' } })
})

test('[AT-SCEN-17] [AT-EXEC-03] a result and an error say which operation was called, where, and with which status', async () => {
  const native = { source: 'openapi', operation_id: 'getOrder', method: 'GET', path: '/orders/{id}' }
  const found = await callOf('api.shop.getOrder', { id: 'o-1' })
  expect(found.toolcrib).toMatchObject({ native: { ...native, server_url: `${api.url}/`, status: 200 } })
  const missing = await callOf('api.shop.getOrder', { id: 'o-99' })
  expect(missing.error).toMatchObject({
    error_class: 'execution_failed',
    message: 'shop answered 404 Not Found: There is no order o-99.',
    toolcrib: { native: { ...native, status: 404, error: { detail: 'There is no order o-99.' } } },
  })
})

test('[AT-SURF-05] a surface follows a credential that is set', async () => {
  const surface = await crib.surface({ scope: 'session' })
  const blocked = () => surface.record.blocked_tools?.map(({ tool_id: id }) => id)
  expect(blocked()).toEqual(['api.shop.cancelOrder', 'api.shop.createOrder', 'api.shop.resetShop'])
  expect(surface.record.blocked_tools?.[0]).toMatchObject({
    reason: 'credential_missing',
    message: '"shop" needs a credential (shopKey): set the variable SHOP_KEY.',
  })
  env['SHOP_KEY'] = 'key-of-the-shop'
  const input = { body: { item: 'tape', quantity: 3 } }
  const created = await crib.call(surface, { name: 'api.shop.createOrder', input })
  expect(created.structured_content).toMatchObject({ item: 'tape', status: 'open' })
  expect(blocked()).toEqual([])
})

test('settings that cannot be used are refused when the source is made', () => {
  const shop = { name: 'shop', document: api.document }
  expect(() => openapiSource({ ...shop, document: 'ftp://shop.example/api.json' })).toThrow(TypeError)
  expect(() => openapiSource({ ...shop, server: 'shop.example' })).toThrow('its "server" must be an http')
  expect(() => openapiSource({ ...shop, credentials: { shopKey: { source: 'enw', name: 'KEY' } } })).toThrow(
    'The API "shop" cannot be opened: "credentials.shopKey.source" must be one of env,',
  )
})
