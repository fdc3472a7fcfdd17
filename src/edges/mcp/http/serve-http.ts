import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdmission, type Visitor } from './admit.js'
import { allowOrigin } from './answer-cors.js'
import { answerRequest } from './answer-request.js'
import { charge } from './charge.js'
import { checkHost } from './check-host.js'
import { createLegacySessions } from './create-legacy-sessions.js'
import { createModernPlaces } from './modern-connections.js'
import { createRateLimiter } from './create-rate-limiter.js'
import { createUnderWay } from './create-under-way.js'
import type { Door } from './http-transport.js'
import { createEventStreams } from './event-stream.js'
import { resolveHttpOptions, type HttpOptions, type HttpSettings } from './http-options.js'
import { isLoopbackName } from './is-loopback-name.js'
import { refuse, sendEmpty, sendJson } from './reply.js'
import { routeOf, type Route } from './route-of.js'

export interface HttpDoor {
  /** Without a path, such as `http://127.0.0.1:7323`. */
  readonly url: string
  readonly port: number
  /** How much is open, for health and tests. */
  readonly open: {
    readonly sessions: number
    readonly places: number
    readonly streams: number
    readonly posts: number
  }
  close(): Promise<void>
}

/** Serves the gateway over HTTP, to clients of both eras on the same path. */
export async function serveHttp(options: HttpOptions): Promise<HttpDoor> {
  const door = createDoor(options)
  const { host, port, authenticate, headersTimeoutMs } = door.settings
  if (authenticate === undefined && !isLoopbackName(host.toLowerCase()))
    throw new Error(
      `Without authentication only loopback is served, not ${host}. Set a token, or listen on 127.0.0.1.`,
    )
  const server = createServer(
    { keepAlive: true, noDelay: true, connectionsCheckingInterval: Math.min(5000, headersTimeoutMs) },
    (request, response) => receive(door, request, response),
  )
  setLimits(server, door.settings)
  await listen(server, host, port)
  const timers = startTimers(door)
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  let closing: Promise<void> | undefined
  return {
    url: `http://${name}:${address.port}`,
    port: address.port,
    get open() {
      return {
        sessions: door.sessions.size,
        places: door.places.size,
        streams: door.streams.size,
        posts: door.openPosts.size,
      }
    },
    close: () => (closing ??= closeDoor(door, server, timers)),
  }
}

function createDoor(options: HttpOptions): Door {
  const house = {
    gateway: options.gateway,
    settings: resolveHttpOptions(options),
    streams: createEventStreams(),
    tell: (problem: unknown) => options.onProblem?.(problem),
  }
  return {
    ...house,
    admission: createAdmission(house.settings),
    limiter: createRateLimiter(),
    underWay: createUnderWay(house.settings.maxUnderWay),
    sessions: createLegacySessions(house),
    places: createModernPlaces(house),
    openPosts: new Set(),
    modernRequests: new Set(),
    subscriptions: new Set(),
    isClosing: false,
  }
}

/** A client that sends its headers or its body drop by drop must not hold a connection for long. */
function setLimits(
  server: Server,
  { maxConnections, headersTimeoutMs, requestTimeoutMs }: HttpSettings,
): void {
  server.headersTimeout = headersTimeoutMs
  server.requestTimeout = requestTimeoutMs
  server.keepAliveTimeout = 65_000
  server.maxConnections = maxConnections
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    if (socket.writable)
      socket.end(`HTTP/1.1 ${statusOf(code)}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
    else socket.destroy()
  })
}

function statusOf(code: string | undefined): string {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return '431 Request Header Fields Too Large'
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return '408 Request Timeout'
    default:
      return '400 Bad Request'
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Who may knock, before anything of the body is read. */
function receive(door: Door, request: IncomingMessage, response: ServerResponse): void {
  const { settings } = door
  const fault = checkHost(request.headers, settings)
  if (fault !== undefined) return refuse(response, 403, fault)
  if (settings.allowedOrigins.length > 0) allowOrigin(request, response, settings.allowedOrigins)
  const route = routeOf(request.url ?? '/')
  if (route === undefined)
    return refuse(response, 404, 'Nothing is served at this path. The MCP endpoint is /mcp.')
  if (request.method === 'OPTIONS') return answerOptions(response)
  if (route.kind === 'metadata') return answerMetadata(door, route, response)
  const now = Date.now()
  const visitor = door.admission.known(request, now)
  if (visitor !== undefined) return letIn(door, { request, response, route, visitor, now })
  const waitSeconds = door.admission.waitSeconds(request, now)
  if (waitSeconds > 0)
    return refuse(response, 429, 'Too many wrong tokens came from this address.', {
      'retry-after': String(waitSeconds),
    })
  door.admission.admit(request, route.surface, now).then(
    (answer) => {
      if ('caller' in answer) return letIn(door, { request, response, route, visitor: answer, now })
      refuse(response, answer.status, answer.message, { 'www-authenticate': answer.wwwAuthenticate })
    },
    (problem: unknown) => {
      door.tell(problem)
      refuse(response, 503, 'Who is asking could not be checked. Try again later.')
    },
  )
}

interface Arrival {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly route: Route
  readonly visitor: Visitor
  readonly now: number
}

function letIn(door: Door, { request, response, route, visitor, now }: Arrival): void {
  if (door.isClosing) return refuse(response, 503, 'The server is closing.', { connection: 'close' })
  if (!charge(door, { visitor, response, now }, 1)) return
  try {
    answerRequest(door, route, { request, response, visitor, now })
  } catch (problem) {
    door.tell(problem)
    refuse(response, 500, 'Something went wrong in the server. Its log says what.')
  }
}

function answerOptions(response: ServerResponse): void {
  if (response.hasHeader('access-control-allow-origin')) return sendEmpty(response, 204)
  refuse(response, 405, 'Pages of this origin may not call.', { allow: 'GET, POST, DELETE' })
}

function answerMetadata({ settings }: Door, { resource = '' }: Route, response: ServerResponse): void {
  const document = settings.metadata?.(resource)
  if (document === undefined) return refuse(response, 404, 'There is no such document here.')
  sendJson(response, 200, document)
}

const SWEEP_MS = 5000

function startTimers(door: Door): NodeJS.Timeout[] {
  const { keepAliveMs, streamAfterMs, sessionIdleMs } = door.settings
  const beat = setInterval(() => door.streams.beat(), keepAliveMs)
  const sweep = setInterval(
    () => {
      const now = Date.now()
      door.sessions.sweep(now)
      door.places.sweep(now)
      door.limiter.sweep(now)
      door.admission.sweep(now)
    },
    Math.min(SWEEP_MS, sessionIdleMs),
  )
  const slow = setInterval(
    () => {
      const before = Date.now() - streamAfterMs
      for (const post of door.openPosts) if (post.since <= before) post.stream()
    },
    Math.min(SWEEP_MS, streamAfterMs),
  )
  return [beat, sweep, slow].map((timer) => timer.unref())
}

/** How long the places may take to close. */
const CLOSE_MS = 3000

async function closeDoor(door: Door, server: Server, timers: readonly NodeJS.Timeout[]): Promise<void> {
  door.isClosing = true
  for (const timer of timers) clearInterval(timer)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const finish of door.subscriptions) finish()
  for (const controller of door.modernRequests) controller.abort()
  const places = Promise.all([door.sessions.endAll(), door.places.closeAll()])
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS)
  })
  await Promise.race([places, late])
  clearTimeout(timer)
  server.closeAllConnections()
  await closed
}
