import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LoginFailed } from './login-problem.js'

const PATH = '/callback'

export interface RedirectReceiver {
  /** The redirect address for the browser. */
  readonly url: string
  /** The parameters of the redirect, once. */
  readonly answer: Promise<URLSearchParams>
  close(): void
}

export interface ReceiveOptions {
  /** What the login is for, in sentences: `the server "files"`. */
  readonly peer: string
  /** Default: a free port. */
  readonly port?: number | undefined
  /** The state parameter of the flow, which authenticates the redirect. */
  readonly state: string
  readonly timeoutMs: number
}

/** Waits on a loopback address for the browser's redirect. */
export async function receiveRedirect(options: ReceiveOptions): Promise<RedirectReceiver> {
  let settle: (params: URLSearchParams) => void = () => {}
  let fail: (error: Error) => void = () => {}
  const answer = new Promise<URLSearchParams>((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  // The caller may await it after the timeout.
  answer.catch(() => {})
  const server = createServer((request, response) => {
    const params = readParams(request, options.state)
    if (!params) return tell(response, 400, 'This is not the answer that Toolcrib is waiting for.')
    const words = params.has('code')
      ? 'Toolcrib has its answer. You may close this window and go back.'
      : 'The login was not granted. You may close this window; Toolcrib says more.'
    tell(response, 200, words)
    settle(params)
  })
  // No keep-alive: only one short request comes.
  server.keepAliveTimeout = 1
  server.requestTimeout = 10_000
  const port = await listen(server, options.port)
  const timer = setTimeout(() => {
    fail(new LoginFailed(`The login to ${options.peer} was not completed in the browser in time.`))
  }, options.timeoutMs)
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    answer,
    close() {
      clearTimeout(timer)
      server.close()
      server.closeIdleConnections()
    },
  }
}

function listen(server: Server, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

/** Undefined for any other request: another path, or the wrong state. */
function readParams({ method, url = '' }: IncomingMessage, state: string): URLSearchParams | undefined {
  const [path, query = ''] = url.split('?', 2)
  if (method !== 'GET' || path !== PATH) return undefined
  const params = new URLSearchParams(query)
  if (!isSame(params.get('state') ?? '', state)) return undefined
  return params.has('code') || params.has('error') ? params : undefined
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function tell(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    connection: 'close',
  })
  response.end(`${words}\n`)
}
