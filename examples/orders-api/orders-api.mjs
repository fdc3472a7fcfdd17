// A small shop API with Hono. It describes itself at /openapi.json, like most frameworks can.
import { serve } from '@hono/node-server'
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'

const Order = z
  .object({
    id: z.string(),
    item: z.string(),
    quantity: z.int().positive(),
    status: z.enum(['open', 'cancelled']),
  })
  .openapi('Order')
const NewOrder = Order.pick({ item: true, quantity: true }).openapi('NewOrder')
const Problem = z
  .object({ title: z.string(), status: z.int(), detail: z.string().optional() })
  .openapi('Problem')

const json = (description, schema) => ({ description, content: { 'application/json': { schema } } })
const problem = (description) => ({
  description,
  content: { 'application/problem+json': { schema: Problem } },
})
const NeedsKey = [{ shopKey: [] }]
const OrderId = z.object({ id: z.string().openapi({ example: 'o-1' }) })

const listOrders = createRoute({
  method: 'get',
  path: '/orders',
  operationId: 'listOrders',
  summary: 'List orders, oldest first.',
  tags: ['orders'],
  request: {
    query: z.object({
      status: Order.shape.status.optional(),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(50)
        .default(2)
        .openapi({ type: 'integer', minimum: 1, maximum: 50 }),
      cursor: z.string().optional().openapi({ description: 'next_cursor of the page before.' }),
    }),
  },
  responses: {
    200: json('One page.', z.object({ items: z.array(Order), next_cursor: z.string().optional() })),
    422: problem('The query is wrong.'),
  },
})

const getOrder = createRoute({
  method: 'get',
  path: '/orders/{id}',
  operationId: 'getOrder',
  summary: 'Get one order.',
  tags: ['orders'],
  request: { params: OrderId },
  responses: { 200: json('The order.', Order), 404: problem('There is no such order.') },
})

const createOrder = createRoute({
  method: 'post',
  path: '/orders',
  operationId: 'createOrder',
  summary: 'Order something.',
  tags: ['orders'],
  security: NeedsKey,
  request: { body: { required: true, content: { 'application/json': { schema: NewOrder } } } },
  responses: {
    201: json('The new order.', Order),
    401: problem('The key is missing or wrong.'),
    422: problem('The body is wrong.'),
  },
})

const cancelOrder = createRoute({
  method: 'post',
  path: '/orders/{id}/cancel',
  operationId: 'cancelOrder',
  summary: 'Cancel an open order.',
  tags: ['orders'],
  security: NeedsKey,
  request: { params: OrderId },
  responses: {
    200: json('The cancelled order.', Order),
    401: problem('The key is missing or wrong.'),
    404: problem('There is no such order.'),
    409: problem('It is cancelled already.'),
  },
})

const stockReport = createRoute({
  method: 'get',
  path: '/stock/report',
  operationId: 'stockReport',
  summary: 'How many pieces of each item are ordered, as CSV.',
  tags: ['stock'],
  responses: { 200: { description: 'The report.', content: { 'text/csv': { schema: z.string() } } } },
})

const resetShop = createRoute({
  method: 'delete',
  path: '/admin/orders',
  operationId: 'resetShop',
  summary: 'Delete all orders.',
  tags: ['admin'],
  security: NeedsKey,
  responses: { 204: { description: 'Done.' }, 401: problem('The key is missing or wrong.') },
})

/** Starts the API on 127.0.0.1. Port 0 takes a free one. */
export async function startOrdersApi({ port = 0, key = 'demo-key' } = {}) {
  const orders = ['bolts', 'nuts', 'screws', 'nails', 'glue'].map((item, at) => ({
    id: `o-${at + 1}`,
    item,
    quantity: 10 * (at + 1),
    status: 'open',
  }))
  const app = new OpenAPIHono({
    defaultHook: (result, c) =>
      result.success ? undefined : refuse(c, 422, 'Not understood', z.prettifyError(result.error)),
  })
  app.openAPIRegistry.registerComponent('securitySchemes', 'shopKey', {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
  })

  app.use(async (c, next) => {
    const isAllowed = c.req.method === 'GET' || c.req.header('x-api-key') === key
    return isAllowed ? next() : refuse(c, 401, 'The key in x-api-key is missing or wrong')
  })

  app.openapi(listOrders, (c) => {
    const { status, limit, cursor } = c.req.valid('query')
    const found = orders.filter((order) => status === undefined || order.status === status)
    const start = cursor === undefined ? 0 : found.findIndex(({ id }) => id === cursor)
    const next = found[start + limit]
    return c.json({ items: found.slice(start, start + limit), ...(next && { next_cursor: next.id }) }, 200)
  })

  app.openapi(getOrder, (c) => {
    const { id } = c.req.valid('param')
    const order = orders.find((each) => each.id === id)
    return order ? c.json(order, 200) : refuse(c, 404, 'Not found', `There is no order ${id}.`)
  })

  app.openapi(createOrder, (c) => {
    const order = { id: `o-${orders.length + 1}`, ...c.req.valid('json'), status: 'open' }
    orders.push(order)
    return c.json(order, 201)
  })

  app.openapi(cancelOrder, (c) => {
    const { id } = c.req.valid('param')
    const order = orders.find((each) => each.id === id)
    if (!order) return refuse(c, 404, 'Not found', `There is no order ${id}.`)
    if (order.status === 'cancelled') return refuse(c, 409, 'Conflict', `Order ${id} is cancelled already.`)
    order.status = 'cancelled'
    return c.json(order, 200)
  })

  app.openapi(stockReport, (c) => {
    const rows = orders.filter(({ status }) => status === 'open')
    const lines = rows.map(({ item, quantity }) => `${item},${quantity}`)
    return c.body(['item,pieces', ...lines, ''].join('\n'), 200, { 'content-type': 'text/csv' })
  })

  app.openapi(resetShop, (c) => {
    orders.length = 0
    return c.body(null, 204)
  })

  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1.0.0', description: 'A small shop.' },
    servers: [{ url: '/' }],
  })

  const server = await new Promise((resolve, reject) => {
    const started = serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, () => resolve(started))
    started.once('error', reject)
  })
  const url = `http://127.0.0.1:${server.address().port}`
  return {
    url,
    document: `${url}/openapi.json`,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

function refuse(c, status, title, detail) {
  return c.json({ title, status, detail }, status, { 'content-type': 'application/problem+json' })
}
