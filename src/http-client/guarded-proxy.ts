import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { checkAddress, guardedLookup, type Reach, type ResolveName } from './address-rules.js'

export interface GuardedProxyOptions {
  /** How far a request to a URL may reach; a sentence where none may be sent. Of an https URL only the host is known. */
  check(url: URL): Reach | { readonly refused: string }
  /** Receives each request that was not sent. */
  onRefused(refused: RefusedRequest): void
  /** The Unix socket on which it listens; who can open it is a client. Absent: a port of this machine, with a password. */
  readonly socketPath?: string | undefined
  readonly resolveName?: ResolveName | undefined
}

export interface RefusedRequest {
  /** What the client asked for. */
  readonly target: string
  /** Absent where that is no address. */
  readonly url?: URL
  /** A clause that says why. */
  readonly why: string
}

export interface GuardedProxy {
  /** The address, or the path of the socket. */
  readonly server: string
  /** Only a client that knows both gets through: other programs of this machine do not. */
  readonly username: string
  readonly password: string
  close(): Promise<void>
}

const REFUSED = 'HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'
const UNREACHABLE = 'HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'
const UNKNOWN =
  'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="toolcrib"\r\ncontent-length: 0\r\n\r\n'
/** They belong to the connection with the proxy. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'proxy-authorization',
  'proxy-connection',
  'proxy-authenticate',
  'connection',
  'keep-alive',
  'te',
  'upgrade',
])
const CONNECT_TIMEOUT_MS = 30_000

/**
 * A proxy on this machine for a program that resolves names and connects by itself, such as a browser. Each address is
 * checked when it is resolved, and the connection goes to exactly that address.
 */
export async function startGuardedProxy(options: GuardedProxyOptions): Promise<GuardedProxy> {
  const username = 'toolcrib'
  const password = randomBytes(24).toString('base64url')
  const expected = Buffer.from(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
  const sockets = new Set<Duplex>()
  const isKnown = ({ headers }: IncomingMessage): boolean => {
    if (options.socketPath !== undefined) return true
    const given = Buffer.from(headers['proxy-authorization'] ?? '')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
  const server = createServer((request, response) => {
    if (isKnown(request)) return forward(request, response, options)
    response.writeHead(407, { 'proxy-authenticate': 'Basic realm="toolcrib"' }).end()
  })
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    keep(socket)
    if (!isKnown(request)) return void socket.end(UNKNOWN)
    const upstream = tunnel(request, socket, { ...options, head })
    if (upstream) keep(upstream)
  })
  server.on('connection', keep)
  server.on('clientError', (_, socket) => socket.destroy())
  function keep(socket: Duplex): void {
    socket.on('error', () => socket.destroy())
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    if (options.socketPath === undefined) server.listen(0, '127.0.0.1', listening)
    else server.listen(options.socketPath, listening)
  })
  return {
    server: options.socketPath ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    username,
    password,
    async close() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function reachOf(
  { target, url, otherwise }: { target: string; url: URL | undefined; otherwise: string },
  { check, onRefused }: GuardedProxyOptions,
): Reach | undefined {
  if (!url) return void onRefused({ target, why: otherwise })
  const answer = check(url)
  if (typeof answer !== 'string') return void onRefused({ target, url, why: answer.refused })
  try {
    checkAddress(url, answer)
    return answer
  } catch (error) {
    return void onRefused({ target, url, why: (error as Error).message })
  }
}

/** Reports an address that was refused when it was resolved. */
function reportRefusal(error: Error, url: URL, { onRefused }: GuardedProxyOptions): boolean {
  const isRefused = (error as NodeJS.ErrnoException).code === 'address_refused'
  if (isRefused) onRefused({ target: url.host, url, why: error.message })
  return isRefused
}

function tunnel(
  { url: target = '' }: IncomingMessage,
  socket: Duplex,
  options: GuardedProxyOptions & { readonly head: Buffer },
): Socket | undefined {
  const text = `https://${target}`
  const url =
    /^(?:[\w.-]{1,253}|\[[\da-f:.]+\]):\d{1,5}$/i.test(target) && URL.canParse(text)
      ? new URL(text)
      : undefined
  const reach = reachOf({ target, url, otherwise: 'this is no host' }, options)
  if (!url || reach === undefined) return void socket.end(REFUSED)
  const upstream = connect({
    autoSelectFamily: true,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 443 : Number(url.port),
    lookup: guardedLookup(reach, options.resolveName),
  })
  upstream.setTimeout(CONNECT_TIMEOUT_MS, () => upstream.destroy())
  upstream.once('connect', () => {
    upstream.setTimeout(0)
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    upstream.write(options.head)
    upstream.pipe(socket).pipe(upstream)
  })
  upstream.once('error', (error) => {
    socket.end(reportRefusal(error, url, options) ? REFUSED : UNREACHABLE)
  })
  socket.once('close', () => upstream.destroy())
  return upstream
}

function forward(request: IncomingMessage, response: ServerResponse, options: GuardedProxyOptions): void {
  const text = request.url ?? ''
  const url = /^http:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  const reach = reachOf({ target: text, url, otherwise: 'this is no http URL' }, options)
  if (!url || reach === undefined) return void response.writeHead(403).end()
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !OWN_HEADERS.has(name)),
  )
  const upstream = httpRequest(url, {
    method: request.method ?? 'GET',
    headers: { ...headers, host: url.host },
    agent: false,
    lookup: guardedLookup(reach, options.resolveName),
  })
  upstream.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
    answer.once('error', () => response.destroy())
  })
  upstream.once('error', (error) => {
    const status = reportRefusal(error, url, options) ? 403 : 502
    if (response.headersSent) response.destroy()
    else response.writeHead(status).end()
  })
  response.once('close', () => upstream.destroy())
  request.pipe(upstream)
}
