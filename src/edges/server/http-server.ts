import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isLoopback } from '../../http-client/is-loopback.js'
import { createAdmission, type Admission, type Identity } from './admission.js'
import { checkHost } from './check-host.js'
import { allowOrigin } from './cors.js'
import { createMounts, type Mounts } from './mounts.js'
import { createRateLimiter, type RateLimiter } from './rate-limiter.js'
import type { HttpRefusal, PublicHandler, RequestHandler } from './request-handler.js'
import { sendEmpty, sendJsonText } from './respond.js'
import { resolveServerOptions, type ServerOptions, type ServerSettings } from './server-options.js'

/** One listener for everything that is served over HTTP. Who may call is decided here, what is answered by the handlers. */
export interface HttpServer {
  /** Answers requests to a path and to what is below it. */
  mount(path: string, handler: RequestHandler | PublicHandler): void
  listen(): Promise<ListeningServer>
}

export interface ListeningServer {
  /** Without a path, such as `http://127.0.0.1:7323`. */
  readonly url: string
  readonly port: number
  /** Takes no more requests, lets the handlers end what is open, and waits no longer than a few seconds for them. */
  close(): Promise<void>
}

interface ServerContext {
  readonly settings: ServerSettings
  readonly mounts: Mounts<RequestHandler | PublicHandler>
  readonly admission: Admission
  readonly limiter: RateLimiter
  tell(problem: unknown): void
  isClosing: boolean
}

export function createHttpServer(options: ServerOptions): HttpServer {
  const settings = resolveServerOptions(options)
  if (settings.authenticate === undefined && !isLoopback(settings.host.toLowerCase()))
    throw new Error(
      `Without authentication only loopback is served, not ${settings.host}. Set a token, or listen on 127.0.0.1.`,
    )
  const context: ServerContext = {
    settings,
    mounts: createMounts(),
    admission: createAdmission(settings),
    limiter: createRateLimiter(),
    tell: (problem) => options.onProblem?.(problem),
    isClosing: false,
  }
  return { mount: context.mounts.add, listen: () => listen(context) }
}

async function listen(context: ServerContext): Promise<ListeningServer> {
  const { host, port, headersTimeoutMs } = context.settings
  const server = createServer(
    { keepAlive: true, noDelay: true, connectionsCheckingInterval: Math.min(5000, headersTimeoutMs) },
    (request, response) => receive(context, request, response),
  )
  setLimits(server, context.settings)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const timer = sweepRegularly(context)
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  let closing: Promise<void> | undefined
  return {
    url: `http://${name}:${address.port}`,
    port: address.port,
    close: () => (closing ??= close(context, server, timer)),
  }
}

/** A client that sends its headers or its body drop by drop must not hold a connection for long. */
function setLimits(
  server: Server,
  { maxConnections, headersTimeoutMs, requestTimeoutMs }: ServerSettings,
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

/** Checks everything that can be checked before the body is read. */
function receive(context: ServerContext, request: IncomingMessage, response: ServerResponse): void {
  const { settings, mounts, admission } = context
  const path = pathOf(request.url ?? '/')
  const handler = mounts.find(path)
  const refuse = (refusal: HttpRefusal): void => refuseBy(handler, response, refusal)
  const fault = checkHost(request.headers, settings)
  if (fault !== undefined) return refuse({ status: 403, message: fault })
  if (handler?.cors && settings.allowedOrigins.length > 0)
    allowOrigin(request, response, { allowedOrigins: settings.allowedOrigins, rules: handler.cors })
  const route = handler && 'route' in handler ? handler.route(path) : undefined
  if (handler === undefined || ('route' in handler && route === undefined))
    return refuse({
      status: 404,
      message: `Nothing is served at this path. Paths: ${mounts.paths().join(', ')}.`,
    })
  if (request.method === 'OPTIONS') return answerPreflight(handler, response)
  if ('handlePublic' in handler) return handler.handlePublic({ request, response, path })
  const now = Date.now()
  const answer = (identity: Identity): void =>
    handOver(context, handler, { request, response, path, identity, now })
  const known = admission.known(request, now)
  if (known !== undefined) return answer(known)
  const waitSeconds = admission.waitSeconds(request, now)
  if (waitSeconds > 0)
    return refuse({
      status: 429,
      message: 'Too many wrong tokens came from this address.',
      headers: { 'retry-after': String(waitSeconds) },
    })
  admission.admit(request, route?.surface, now).then(
    (admitted) => {
      if ('caller' in admitted) return answer(admitted)
      const { status, message, wwwAuthenticate } = admitted
      refuse({ status, message, headers: { 'www-authenticate': wwwAuthenticate } })
    },
    (problem: unknown) => {
      context.tell(problem)
      refuse({ status: 503, message: 'Who is asking could not be checked. Try again later.' })
    },
  )
}

function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

interface Admitted {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly identity: Identity
  readonly now: number
}

function handOver(context: ServerContext, handler: RequestHandler, admitted: Admitted): void {
  const { response } = admitted
  const refuse = (refusal: HttpRefusal): void => handler.refuse(response, refusal)
  if (context.isClosing)
    return refuse({ status: 503, message: 'The server is closing.', headers: { connection: 'close' } })
  const charge = (count: number): boolean => {
    const waitSeconds = secondsToWait(context, admitted, count)
    if (waitSeconds > 0)
      refuse({ status: 429, message: 'Too many requests.', headers: { 'retry-after': String(waitSeconds) } })
    return waitSeconds === 0
  }
  if (!charge(1)) return
  try {
    handler.handle({ ...admitted, charge })
  } catch (problem) {
    context.tell(problem)
    refuse({ status: 500, message: 'Something went wrong in the server. Its log says what.' })
  }
}

function secondsToWait(
  { limiter, settings }: ServerContext,
  { identity, now }: Admitted,
  count: number,
): number {
  const perMinute = identity.caller.rateLimitPerMinute ?? settings.rateLimitPerMinute
  return perMinute === undefined || count === 0 ? 0 : limiter.take(identity.key, perMinute, now, count)
}

function answerPreflight(handler: RequestHandler | PublicHandler, response: ServerResponse): void {
  if (response.hasHeader('access-control-allow-origin')) return sendEmpty(response, 204)
  const message = 'Pages of this origin may not call.'
  handler.refuse(response, { status: 405, message, headers: { allow: handler.cors?.methods ?? 'GET' } })
}

/** Where no handler is, there is no protocol to say it in. */
function refuseBy(
  handler: RequestHandler | PublicHandler | undefined,
  response: ServerResponse,
  refusal: HttpRefusal,
): void {
  if (handler) return handler.refuse(response, refusal)
  sendJsonText(response, refusal.status, JSON.stringify({ error: refusal.message }), refusal.headers)
}

const SWEEP_MS = 5000

function sweepRegularly({ mounts, limiter, admission }: ServerContext): NodeJS.Timeout {
  const handlers = mounts.handlers()
  const everyMs = Math.min(SWEEP_MS, ...handlers.map(({ sweepMs = SWEEP_MS }) => sweepMs))
  const timer = setInterval(() => {
    const now = Date.now()
    for (const handler of handlers) handler.sweep?.(now)
    limiter.sweep(now)
    admission.sweep(now)
  }, everyMs)
  return timer.unref()
}

/** How long the handlers may take to close. */
const CLOSE_MS = 3000

async function close(context: ServerContext, server: Server, timer: NodeJS.Timeout): Promise<void> {
  context.isClosing = true
  clearInterval(timer)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const handlers = Promise.all(context.mounts.handlers().map((handler) => handler.close?.()))
  let late: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    late = setTimeout(resolve, CLOSE_MS)
  })
  await Promise.race([handlers, patience])
  clearTimeout(late)
  server.closeAllConnections()
  await closed
}
