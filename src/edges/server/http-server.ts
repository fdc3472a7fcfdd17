import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  type IncomingHttpHeaders,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { isLoopback } from '../../http-client/is-loopback.js'
import { withTimeLimit } from '../../platform/async/with-time-limit.js'
import { createAdmission, type Admission, type Identity } from './admission.js'
import { createMounts, type Mounts } from './mounts.js'
import { createRateLimiter, type RateLimiter } from './rate-limiter.js'
import { createRevocations, type Revocations } from './revocations.js'
import type { HttpRefusal, PublicHandler, RequestHandler, CorsRules } from './request-handler.js'
import { sendEmpty, sendJsonText } from './respond.js'
import { ServedResponse } from './served-response.js'
import { endStalledClients } from './stalled-clients.js'
import { createRequestWatch, type RequestWatch } from './watch-requests.js'
import { resolveServerOptions, type ServerOptions, type ServerSettings } from './server-options.js'

/** One listener for all handlers. It decides who may call; the handlers decide what is answered. */
export interface HttpServer {
  /** Passes requests to a path, and to paths below it, to a handler. */
  mount(path: string, handler: RequestHandler | PublicHandler): void
  /** Whether it accepts no more requests, except to public handlers. */
  readonly isDraining: boolean
  listen(): Promise<ListeningServer>
}

export interface ListeningServer {
  /** Without a path, such as `http://127.0.0.1:7323`. */
  readonly url: string
  readonly port: number
  /** Refuses new requests from now on. The open ones go on. */
  drain(): void
  /** Requests that are being answered, without streams that clients opened with GET. */
  readonly openRequests: number
  /** Accepts no more requests, closes the handlers, and waits a few seconds for them at most. */
  close(): Promise<void>
}

interface ServerContext {
  readonly settings: ServerSettings
  readonly mounts: Mounts<RequestHandler | PublicHandler>
  /** Of the handlers for callers. */
  readonly admission: Admission
  /** Of the handlers for people. */
  readonly peopleAdmission: Admission
  readonly revocations: Revocations
  readonly limiter: RateLimiter
  readonly watch: RequestWatch
  report(problem: unknown): void
  isDraining: boolean
}

export function createHttpServer(options: ServerOptions): HttpServer {
  const settings = resolveServerOptions(options)
  if (settings.authenticate === undefined && !isLoopback(settings.host.toLowerCase()))
    throw new Error(
      `Without authentication only loopback is served, not ${settings.host}. Set a token, or listen on 127.0.0.1.`,
    )
  const revocations = createRevocations()
  const admission = createAdmission({ ...settings, revocations })
  const context: ServerContext = {
    settings,
    mounts: createMounts(),
    admission,
    peopleAdmission: settings.people
      ? createAdmission({ ...settings, ...settings.people, revocations })
      : admission,
    revocations,
    limiter: createRateLimiter(),
    watch: createRequestWatch(options.onRequest),
    report: (problem) => options.onProblem?.(problem),
    isDraining: false,
  }
  return {
    mount: context.mounts.add,
    get isDraining() {
      return context.isDraining
    },
    listen: () => listen(context),
  }
}

async function listen(context: ServerContext): Promise<ListeningServer> {
  const { host, port, headersTimeoutMs } = context.settings
  const server = createServer(
    {
      ServerResponse: ServedResponse,
      keepAlive: true,
      noDelay: true,
      connectionsCheckingInterval: Math.min(5000, headersTimeoutMs),
    },
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
  const stop = [
    sweepRegularly(context),
    followIdentities(context),
    endStalledClients(server, context.settings.stalledAfterMs),
  ]
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  let closing: Promise<void> | undefined
  return {
    url: `http://${name}:${address.port}`,
    port: address.port,
    drain() {
      context.isDraining = true
    },
    get openRequests() {
      return context.watch.open
    },
    close: () => (closing ??= close(context, server, stop)),
  }
}

/** A client that sends its headers or body very slowly must not occupy a connection for long. */
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
function receive(context: ServerContext, request: IncomingMessage, response: ServedResponse): void {
  const { settings, mounts } = context
  const path = pathOf(request.url ?? '/')
  const handler = mounts.find(path)
  context.watch.begin(request, response, () => handler?.template?.(path) ?? mounts.mountOf(path) ?? 'unknown')
  const refuse = (refusal: HttpRefusal): void => refuseBy(handler, response, refusal)
  const fault = checkHost(request.headers, settings)
  if (fault !== undefined) return refuse({ status: 403, message: fault })
  if (handler?.cors && settings.allowedOrigins.length > 0)
    allowOrigin(request, response, { allowedOrigins: settings.allowedOrigins, rules: handler.cors })
  const route = handler && 'route' in handler ? handler.route(path, request.method ?? 'GET') : undefined
  if (handler === undefined || ('route' in handler && route === undefined))
    return refuse({
      status: 404,
      message: `Nothing is served at this path. Paths: ${mounts.paths().join(', ')}.`,
    })
  if (request.method === 'OPTIONS') return answerPreflight(handler, response)
  if (!('route' in handler)) return handler.handlePublic({ request, response, path })
  if (route!.isPublic === true) return handler.handlePublic?.({ request, response, path })
  const now = Date.now()
  const admission = handler.isForPeople === true ? context.peopleAdmission : context.admission
  const answer = (identity: Identity): void =>
    dispatch(context, handler, { request, response, path, identity, now })
  const known = admission.known(request, now)
  if (known !== undefined) return answer(known)
  const waitSeconds = admission.waitSeconds(request, now)
  if (waitSeconds > 0)
    return refuse({
      status: 429,
      message: 'Too many wrong tokens came from this address.',
      headers: { 'retry-after': String(waitSeconds) },
    })
  admission.admit(request, { surface: route!.surface, roles: handler.roles }, now).then(
    (admitted) => {
      if ('caller' in admitted) return answer(admitted)
      const { status, message, wwwAuthenticate } = admitted
      const login = status === 401 && handler.isForPeople === true ? settings.people?.login : undefined
      refuse({ status, message, headers: { 'www-authenticate': wwwAuthenticate }, login })
    },
    (problem: unknown) => {
      context.report(problem)
      refuse({ status: 503, message: 'The identity of the caller could not be checked. Try again later.' })
    },
  )
}

function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

interface Admitted {
  readonly request: IncomingMessage
  readonly response: ServedResponse
  readonly path: string
  readonly identity: Identity
  readonly now: number
}

function dispatch(context: ServerContext, handler: RequestHandler, admitted: Admitted): void {
  const { request, response, path, identity, now } = admitted
  response.actor = identity.caller.actor
  const refuse = (refusal: HttpRefusal): void => handler.refuse(response, refusal)
  if (context.isDraining)
    return refuse({ status: 503, message: 'The server is closing.', headers: { connection: 'close' } })
  const charge = (count: number): boolean => {
    const waitSeconds = secondsToWait(context, admitted, count)
    if (waitSeconds > 0)
      refuse({ status: 429, message: 'Too many requests.', headers: { 'retry-after': String(waitSeconds) } })
    return waitSeconds === 0
  }
  if (!charge(1)) return
  try {
    handler.handle({ request, response, path, identity, now, charge })
  } catch (problem) {
    context.report(problem)
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

/** Without a handler there is no protocol for the refusal, so it is plain JSON. */
function refuseBy(
  handler: RequestHandler | PublicHandler | undefined,
  response: ServerResponse,
  refusal: HttpRefusal,
): void {
  if (handler) return handler.refuse(response, refusal)
  sendJsonText(response, refusal.status, JSON.stringify({ error: refusal.message }), refusal.headers)
}

const SWEEP_MS = 5000

/** Returns a function that stops it. */
function sweepRegularly({
  mounts,
  limiter,
  admission,
  peopleAdmission,
  revocations,
  settings,
}: ServerContext): () => void {
  const handlers = mounts.handlers()
  const everyMs = Math.min(SWEEP_MS, ...handlers.map(({ sweepMs = SWEEP_MS }) => sweepMs))
  const timer = setInterval(() => {
    const now = Date.now()
    for (const handler of handlers) handler.sweep?.(now)
    limiter.sweep(now)
    for (const each of new Set([admission, peopleAdmission])) each.sweep(now)
    revocations.sweep(now)
    settings.guesses.sweep(now)
  }, everyMs).unref()
  return () => clearInterval(timer)
}

/** A token that has ended is refused from here on, and the streams that it opened are closed. */
function followIdentities({ settings, admission, peopleAdmission, revocations }: ServerContext): () => void {
  const stop = settings.watchIdentities?.((ended) => {
    admission.forget()
    peopleAdmission.forget()
    revocations.end(ended)
  })
  return () => stop?.()
}

/** How long the handlers may take to close. */
const CLOSE_MS = 3000

async function close(context: ServerContext, server: Server, stop: readonly (() => void)[]): Promise<void> {
  context.isDraining = true
  for (const each of stop) each()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const handlers = Promise.all(context.mounts.handlers().map((handler) => handler.close?.()))
  await withTimeLimit(handlers, CLOSE_MS)
  server.closeAllConnections()
  await closed
}

/**
 * A web page can reach loopback under a host name of its own (DNS rebinding); its Host and Origin headers show that.
 * Returns why the request is refused, or nothing.
 */
function checkHost(
  headers: IncomingHttpHeaders,
  allowed: { readonly allowedHosts: readonly string[]; readonly allowedOrigins: readonly string[] },
): string | undefined {
  const host = headers.host?.toLowerCase()
  if (host === undefined || host === '') return 'The request has no Host header.'
  const name = nameOf(host)
  const known = isLoopback(name) || allowed.allowedHosts.includes(host) || allowed.allowedHosts.includes(name)
  if (!known)
    return 'This Host is not served here. Add it to the allowed hosts to be reached under that name.'
  const { origin } = headers
  if (origin === undefined || allowed.allowedOrigins.includes(origin)) return undefined
  // Pages of this server itself: its host name was checked above.
  if (origin === `http://${host}` || origin === `https://${host}` || isLoopbackOrigin(origin))
    return undefined
  return 'This Origin may not call. Add it to the allowed origins to let its pages in.'
}

function nameOf(host: string): string {
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.lastIndexOf(':')
  return end <= 0 ? host : host.slice(0, end)
}

function isLoopbackOrigin(origin: string): boolean {
  const match = /^https?:\/\/(\[[0-9a-f:]+\]|[^/:@[\]]+)(?::\d{1,5})?$/i.exec(origin)
  return match !== null && isLoopback(match[1]!.toLowerCase())
}

/** Lets pages of the allowed origins read the answer. Other origins get no CORS headers, and there is no wildcard. */
function allowOrigin(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  { allowedOrigins, rules }: { allowedOrigins: readonly string[]; rules: CorsRules },
): void {
  const { origin } = headers
  if (origin === undefined || !allowedOrigins.includes(origin)) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('vary', 'Origin')
  response.setHeader('access-control-expose-headers', rules.exposedHeaders)
  if (method !== 'OPTIONS') return
  response.setHeader('access-control-allow-methods', rules.methods)
  response.setHeader('access-control-allow-headers', rules.allowedHeaders(headers))
  response.setHeader('access-control-max-age', '600')
}
