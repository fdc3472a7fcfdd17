// The small shop behind the tools of this crib: a plain HTTP server that describes itself at /openapi.json.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const DOCUMENT = readFileSync(new URL('./shop-api.json', import.meta.url))

const PRODUCTS = [
  ['LA-101', 'Desk lamp', 39.5],
  ['LA-102', 'Floor lamp', 89],
  ['CH-201', 'Folding chair', 34],
  ['CH-202', 'Office chair', 149],
  ['TA-301', 'Side table', 59],
  ['TA-302', 'Standing desk', 329],
  ['SH-401', 'Wall shelf', 24.9],
  ['SH-402', 'Bookcase', 119],
]

const TICKETS = [
  ['t-1', 'o-1022', 'One of the lamps arrived broken. I would like my money back for it.'],
  ['t-2', 'o-1012', 'When will my order be sent?'],
  ['t-3', 'o-1011', 'I order twenty chairs a year. Is there a discount?'],
]

/** Serves on 127.0.0.1 until `close`. A port that is in use rejects with EADDRINUSE. */
export async function startShop({ port = 0 } = {}) {
  const server = createServer(createHandler(createShop()))
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return {
    port: server.address().port,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

/** The same orders at every start. */
function createShop() {
  const products = PRODUCTS.map(([sku, name, price], at) => ({ sku, name, price, stock: (at * 17) % 40 }))
  const orders = Array.from({ length: 40 }, (_, at) => {
    const { sku, price } = products[(at * 5) % products.length]
    const pieces = 1 + ((at * 7) % 4)
    const status = at % 3 === 0 ? 'sent' : 'open'
    const total = Math.round(price * pieces * 100) / 100
    return {
      id: `o-${1001 + at}`,
      customer: `c-${1 + ((at * 11) % 25)}`,
      sku,
      pieces,
      total,
      refunded: 0,
      status,
    }
  })
  const tickets = TICKETS.map(([id, order, text]) => ({ id, order, text }))
  return { products, orders, tickets }
}

function createHandler({ products, orders, tickets }) {
  const routes = [
    ['GET', /^\/openapi\.json$/, () => [200, DOCUMENT, 'application/json']],
    ['GET', /^\/orders$/, ({ query }) => listOrders(orders, query)],
    ['GET', /^\/orders\/export$/, () => [200, exportLines(products), 'text/csv']],
    ['GET', /^\/orders\/([^/]+)$/, ({ id }) => found(orders, id, (order) => [200, order])],
    [
      'DELETE',
      /^\/orders\/([^/]+)$/,
      ({ id }) => found(orders, id, (order) => [204, void orders.splice(orders.indexOf(order), 1)]),
    ],
    [
      'POST',
      /^\/orders\/([^/]+)\/cancel$/,
      ({ id }) =>
        found(orders, id, (order) =>
          order.status === 'open'
            ? [200, Object.assign(order, { status: 'cancelled' })]
            : problem(409, `Order ${id} is ${order.status}.`),
        ),
    ],
    [
      'POST',
      /^\/orders\/([^/]+)\/refund$/,
      ({ id, body }) => found(orders, id, (order) => refund(order, body)),
    ],
    ['GET', /^\/products$/, () => [200, { items: products }]],
    [
      'PUT',
      /^\/products\/([^/]+)\/stock$/,
      ({ id, body }) =>
        found(products, id, (each) => [200, Object.assign(each, { stock: body.pieces })], 'sku'),
    ],
    ['GET', /^\/tickets$/, () => [200, { items: tickets.filter(({ answer }) => answer === undefined) }]],
    [
      'POST',
      /^\/tickets\/([^/]+)\/answer$/,
      ({ id, body }) => found(tickets, id, (ticket) => [200, Object.assign(ticket, { answer: body.text })]),
    ],
    ['POST', /^\/questions$/, () => [204]],
    ['GET', /^\/shipping\/quote$/, ({ query }) => quote(query)],
  ]

  return async (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url, 'http://localhost')
    const [status, body, type = 'application/json'] = await respond(request, pathname, query)
    response.writeHead(status, { 'content-type': status >= 400 ? 'application/problem+json' : type })
    response.end(
      body === undefined || type !== 'application/json' || Buffer.isBuffer(body)
        ? body
        : JSON.stringify(body),
    )
  }

  async function respond(request, pathname, query) {
    const text = (await request.toArray()).join('')
    for (const [method, pattern, handle] of routes) {
      const match = request.method === method && pattern.exec(pathname)
      if (match) return handle({ id: match[1], query, body: text === '' ? {} : JSON.parse(text) })
    }
    return problem(404, 'There is nothing here.')
  }
}

function found(list, id, then, key = 'id') {
  const each = list.find((entry) => entry[key] === id)
  return each ? then(each) : problem(404, `There is no ${id}.`)
}

function problem(status, detail) {
  return [status, { title: 'Not possible', status, detail }]
}

function listOrders(orders, query) {
  const status = query.get('status')
  const limit = Number(query.get('limit') ?? 10)
  const wanted = orders.filter((order) => status === null || order.status === status)
  const start = query.has('cursor') ? wanted.findIndex(({ id }) => id === query.get('cursor')) : 0
  const next = wanted[start + limit]
  return [200, { items: wanted.slice(start, start + limit), ...(next && { next_cursor: next.id }) }]
}

function refund(order, { amount }) {
  if (amount > order.total) return problem(422, `Order ${order.id} was ${order.total} euros.`)
  const status = amount === order.total ? 'refunded' : order.status
  return [200, Object.assign(order, { refunded: amount, status })]
}

/** 3,000 lines: too long for a prompt. */
function exportLines(products) {
  const lines = Array.from({ length: 3000 }, (_, at) => {
    const { sku, name, price } = products[(at * 13) % products.length]
    const day = new Date(Date.UTC(2026, 0, 1 + Math.floor(at / 10))).toISOString().slice(0, 10)
    const pieces = 1 + ((at * 7) % 4)
    return [day, `o-${10_000 + at}`, sku, name, pieces, (price * pieces).toFixed(2)].join(',')
  })
  return ['day,order,sku,name,pieces,euros', ...lines, ''].join('\n')
}

function quote(query) {
  const grams = Number(query.get('weight_grams'))
  const [base, perKilo, days, heaviest] = {
    domestic: [4.2, 0.5, 2, 30_000],
    europe: [11.9, 1.8, 5, 20_000],
    world: [24.5, 6.4, 12, 10_000],
  }[query.get('zone')]
  if (grams > heaviest) return problem(422, `At most ${heaviest} grams go there.`)
  return [200, { euros: Math.round((base + (perKilo * grams) / 1000) * 100) / 100, days }]
}
