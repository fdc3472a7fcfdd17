import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { storeErrorCodes } from '../../storage/store-error.js'
import { errorMessage } from '../../platform/text/error-message.js'
import type { Identity } from '../server/admission.js'
import type { PublicRequest, RequestHandler } from '../server/request-handler.js'
import { sendEmpty, sendJsonText } from '../server/respond.js'
import type { ApiParts } from './api-parts.js'
import { createIdempotencyKeys, type IdempotencyKeys } from './idempotency.js'
import { isRecorded } from './recorded-calls.js'
import { createRouteMatcher, type RouteMatcher } from './match-route.js'
import { API_PREFIX } from './openapi-document.js'
import { notFound, Problem } from './problem.js'
import { checkAccept } from './requests/check-accept.js'
import { checkRequest } from './requests/check-request.js'
import { readJsonBody } from './requests/read-body.js'
import { readQuery } from './requests/read-query.js'
import { refuseWithProblem, sendProblem } from './send-problem.js'
import { isPublic, type Answer, type AnyRoute, type ApiRequest } from './route.js'

export interface ApiHandlerOptions {
  readonly api: ApiParts
  readonly routes: readonly AnyRoute[]
  readonly maxBodyBytes: number
  /** Called for errors that are not a client's fault. */
  report(problem: unknown): void
}

interface ApiContext extends ApiHandlerOptions {
  readonly matcher: RouteMatcher
  readonly keys: IdempotencyKeys
}

/** The API as a handler of the server. */
export function createApiHandler(options: ApiHandlerOptions): RequestHandler {
  const { api, routes } = options
  const context: ApiContext = {
    ...options,
    matcher: createRouteMatcher(routes),
    keys: createIdempotencyKeys({ store: api.crib.store, now: api.now, isRecorded: isRecorded(api) }),
  }
  const hourly = setInterval(() => void context.keys.sweep().catch(options.report), 3_600_000).unref()
  return {
    refuse: refuseWithProblem,
    template: (path) => templateOf(context, path),
    isForPeople: true,
    // An unknown path is refused by the route: only this handler knows what to say about it.
    route(path, method) {
      const found = context.matcher.find(path.slice(API_PREFIX.length))?.byMethod.get(wordOf(method))
      return { isPublic: found !== undefined && isPublic(found) }
    },
    handlePublic: (incoming) => answerRequest(context, incoming, undefined),
    handle(incoming) {
      answerRequest(context, incoming, incoming.identity)
    },
    async close() {
      clearInterval(hourly)
      api.events.close()
    },
  }
}

function templateOf({ matcher }: ApiContext, path: string): string {
  const [route] = matcher.find(path.slice(API_PREFIX.length))?.byMethod.values() ?? []
  return route ? `${API_PREFIX}${route.path}` : API_PREFIX
}

/** The word of a method in the list of routes. */
function wordOf(method: string): string {
  return method === 'HEAD' ? 'get' : method.toLowerCase()
}

function answerRequest(context: ApiContext, incoming: PublicRequest, identity: Identity | undefined): void {
  const { request, response } = incoming
  answerOf(context, incoming, identity)
    .then((answer) => send(request, response, answer))
    .catch((error: unknown) => {
      if (error instanceof Problem) return sendProblem(response, error)
      context.report(error)
      const problem = storeProblem(error) ?? new Problem(500, 'dependency_unavailable', FAILED)
      sendProblem(response, problem)
    })
}

const FAILED = 'Something went wrong in the server. Its log says what.'

/** A store that cannot be written or read is no fault of the request. */
function storeProblem(error: unknown): Problem | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  if (!(storeErrorCodes as readonly unknown[]).includes(code)) return undefined
  return new Problem(503, 'dependency_unavailable', errorMessage(error), { code: String(code) })
}

async function answerOf(
  context: ApiContext,
  { request, response, path }: PublicRequest,
  identity: Identity | undefined,
): Promise<Answer> {
  const { route, params } = findRoute(context, request, path)
  const { api } = context
  if (!isPublic(route)) checkRoles(route.roles, identity)
  checkAccept(route, request.headers.accept)
  const query = readQuery(queryOf(request.url ?? ''), route.query ?? {})
  const body = route.body ? await readJsonBody(request, context.maxBodyBytes) : undefined
  await checkRequest(route, { query, body })
  const { headers } = request
  const asked = { api, params, query, body, headers, request, signal: signalOf(response) }
  if (isPublic(route)) return route.handle(asked)
  const tenant = identity!.caller.tenant ?? api.tenant
  const complete: ApiRequest = { ...asked, identity: identity!, tenant }
  if (route.method === 'get') return route.handle(complete)
  const { actor } = identity!.caller
  const key = headerOf(request, 'idempotency-key')
  if (key === undefined) return route.handle(complete)
  return context.keys.once(
    { key, tenant, actor, method: route.method, path, body },
    {
      first: async (noteCalls) => route.handle({ ...complete, noteCalls }),
      again: async (invocationIds) => route.again?.(complete, invocationIds),
    },
  )
}

function findRoute({ matcher }: ApiContext, { method = 'GET' }: IncomingMessage, path: string) {
  const found = matcher.find(path.slice(API_PREFIX.length))
  if (!found)
    throw notFound(`There is nothing at this path; ${API_PREFIX}/openapi.json describes what there is.`)
  const route = found.byMethod.get(wordOf(method))
  if (route) return { route, params: found.params }
  const allow = [...found.byMethod.keys()].map((name) => name.toUpperCase()).join(', ')
  throw new Problem(405, 'invalid_arguments', `This path takes ${allow}, not ${method.slice(0, 20)}.`, {
    headers: { allow },
  })
}

function checkRoles(wanted: readonly string[], identity: Identity | undefined): void {
  const has = identity?.caller.roles ?? []
  if (has.some((role) => wanted.includes(role))) return
  const names = wanted.length === 1 ? `the role ${wanted[0]}` : `one of the roles ${wanted.join(', ')}`
  throw new Problem(
    403,
    'permission_denied',
    `This needs ${names}; use another token, or ask an operator for one.`,
  )
}

function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  // It may have left while the request was checked.
  if (response.destroyed) controller.abort()
  else response.once('close', () => controller.abort())
  return controller.signal
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { status, body, headers, bytes, stream } = answer
  if (stream) return sendStream(request, response, { status, stream, headers })
  if (bytes) return sendBytes(response, status, { ...bytes, headers })
  if (body === undefined) return sendEmpty(response, status, headers)
  const text = JSON.stringify(body)
  if (!isRead(request) || status !== 200) return sendJsonText(response, status, text, headers)
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  const usual = { etag, 'cache-control': 'private, no-cache', ...headers }
  if (matches(headerOf(request, 'if-none-match'), etag)) return sendEmpty(response, 304, usual)
  sendJsonText(response, status, text, usual)
}

/** A HEAD request is answered as the GET request would be: the server leaves its body out. */
function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-content-type-options': 'nosniff',
  // Proxies that buffer responses would hold back every event.
  'x-accel-buffering': 'no',
} as const

function sendStream(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, stream, headers }: Pick<Answer, 'status' | 'headers'> & Required<Pick<Answer, 'stream'>>,
): void {
  if (response.destroyed) return
  response.writeHead(status, { ...STREAM_HEADERS, ...headers })
  // A stream has no end, and a HEAD request waits for one.
  if (method === 'HEAD') response.end()
  else stream(response)
}

function matches(given: string | undefined, etag: string): boolean {
  const plain = (tag: string): string => tag.trim().replace(/^W\//, '')
  return (
    given !== undefined && given.split(',').some((tag) => tag.trim() === '*' || plain(tag) === plain(etag))
  )
}

function sendBytes(
  response: ServerResponse,
  status: number,
  { content, mediaType, name, headers }: NonNullable<Answer['bytes']> & { headers: Answer['headers'] },
): void {
  if (response.headersSent || response.destroyed) return
  const file =
    name === undefined ? '' : `; filename*=UTF-8''${encodeURIComponent(Buffer.from(name).toString())}`
  response.writeHead(status, {
    'content-type': mediaType,
    'content-length': content.byteLength,
    // Content of tools is never shown as a page of this origin.
    'content-disposition': `attachment${file}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
    ...headers,
  })
  response.end(content)
}
