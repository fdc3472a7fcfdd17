import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Site {
  readonly origin: string
  readonly port: number
  /** The requests so far, as `method host path`. */
  readonly requests: string[]
  /** The bodies of forms that were sent. */
  readonly forms: string[]
}

const SHOP = `<!doctype html><title>Shop</title>
<h1>Order tea</h1>
<form method="post" action="/order" onsubmit="return confirm('Order for real?')">
  <label>Name <input name="name"></label>
  <label>Key <input name="key" type="password"></label>
  <label>Kind <select name="kind"><option value="g">Green</option><option value="b">Black</option></select></label>
  <button>Order</button>
</form>
<a href="/invoice" download>Invoice</a>
<p>Free \u200bdelivery</p>`

/** A shop on this machine, with further pages for a test. */
export async function startSite(pages: Record<string, string | RequestListener> = {}): Promise<Site> {
  const requests: string[] = []
  const forms: string[] = []
  const server = createServer(async (request, response) => {
    const path = new URL(request.url!, 'http://site').pathname
    if (path !== '/favicon.ico') requests.push(`${request.method} ${request.headers.host} ${request.url}`)
    const page = pages[path]
    if (typeof page === 'function') return page(request, response)
    if (page !== undefined) return void response.setHeader('content-type', 'text/html').end(page)
    switch (path) {
      case '/':
        return void response.setHeader('content-type', 'text/html; charset=utf-8').end(SHOP)
      case '/order':
        forms.push(await textOf(request))
        return void response
          .setHeader('content-type', 'text/html')
          .end('<title>Thanks</title><h1>Ordered</h1>')
      case '/invoice':
        return void response
          .writeHead(200, {
            'content-type': 'text/csv',
            'content-disposition': 'attachment; filename="../invoice.csv"',
          })
          .end('tea,3\n')
      default:
        return void response.writeHead(404).end()
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, port, requests, forms }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
