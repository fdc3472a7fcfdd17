import type { ServerResponse } from 'node:http'
import { isObject } from '../../../platform/json/is-object.js'
import type {
  JsonObject,
  JsonRpcNotification,
  JsonRpcRequest,
} from '../../../sources/mcp/protocol/json-rpc.js'
import { mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { metaKeys } from '../../../sources/mcp/protocol/meta-keys.js'
import type { HeaderField } from '../../../sources/mcp/header-fields.js'
import type { GatewaySession } from '../gateway.js'
import { toWireError } from '../to-wire-error.js'
import type { IncomingRequest } from '../../server/request-handler.js'
import { checkParamHeaders, checkRequestHeaders } from './check-request-headers.js'
import type { Held } from './modern-connections.js'
import { tooManyInFlight } from '../too-many-in-flight.js'
import type { McpHttp } from './mcp-http.js'
import { ModernExchange } from './modern-exchange.js'
import { openSubscription } from './open-subscription.js'
import { sendEmpty } from '../../server/respond.js'
import { failure, sendError, sendJson, success } from './reply.js'
import { headerOf } from './sort-post.js'

/** Methods of the legacy era that the modern revision removed. */
const removed = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])

export function answerModernRequest(
  http: McpHttp,
  { message, meta }: { message: JsonRpcRequest; meta: JsonObject },
  post: IncomingRequest,
): void {
  const { request, response, identity, now } = post
  const fault = checkRequestHeaders(message, request.headers)
  if (fault !== undefined) return refuseHeaders(response, message, fault)
  if (removed.has(message.method)) {
    const error = { code: mcpErrorCodes.methodNotFound, message: 'Method not found' }
    return sendError(response, { status: 404, error, id: message.id })
  }
  if (!http.inFlight.begin(identity.key)) {
    const error = toWireError(tooManyInFlight(), http.report)
    return sendError(response, { status: 429, error, id: message.id, headers: { 'retry-after': '1' } })
  }
  const asked: Asked = { message, meta, post }
  const held = http.connections.hold(identity, now)
  // Most callers have a session already: their requests wait for nothing but the answer.
  if (!(held instanceof Promise)) return answerHeld(http, held, asked)
  held.then(
    (opened) => answerHeld(http, opened, asked),
    (problem: unknown) => {
      sendProblem(http, asked, problem)
      http.inFlight.end(identity.key)
    },
  )
}

interface Asked {
  readonly message: JsonRpcRequest
  readonly meta: JsonObject
  readonly post: IncomingRequest
}

function answerHeld(http: McpHttp, held: Held, asked: Asked): void {
  const { connection } = held
  const { message, meta, post } = asked
  const end = (): void => {
    held.release()
    http.inFlight.end(post.identity.key)
  }
  const fail = (problem: unknown): void => sendProblem(http, asked, problem)
  try {
    const fields = markedFields(connection, message)
    const answered =
      fields instanceof Promise || OF_THE_CONNECTION.has(message.method)
        ? answerLater(http, connection, { message, meta, post, fields })
        : answerWith(http, connection, { message, meta, post, fields })
    if (!answered) return end()
    answered.then(end, (problem: unknown) => {
      fail(problem)
      end()
    })
  } catch (problem) {
    fail(problem)
    end()
  }
}

/** What the connection answers itself. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set(['server/discover', 'subscriptions/listen'])

type Fields = readonly HeaderField[]

async function answerLater(
  http: McpHttp,
  connection: GatewaySession,
  { message, meta, post, fields }: Asked & { readonly fields: Fields | Promise<Fields> },
): Promise<void> {
  const { response } = post
  if (!OF_THE_CONNECTION.has(message.method))
    return answerWith(http, connection, { message, meta, post, fields: await fields })
  const discovery = discover(connection, meta)
  if (message.method === 'server/discover') return sendJson(response, 200, success(message.id, discovery))
  return openSubscription(http, connection, { message, response, discovery })
}

const NO_FIELDS: Fields = []

/** The arguments of the called tool that are repeated in headers. */
function markedFields(
  connection: GatewaySession,
  { method, params }: JsonRpcRequest,
): Fields | Promise<Fields> {
  if (method !== 'tools/call' || typeof params?.['name'] !== 'string') return NO_FIELDS
  return connection.headerFields?.(params['name']) ?? NO_FIELDS
}

/** Resolves when the request is answered; undefined where it was refused. */
function answerWith(
  http: McpHttp,
  connection: GatewaySession,
  { message, meta, post, fields }: Asked & { readonly fields: Fields },
): Promise<void> | undefined {
  const { request, response, now } = post
  const { method, params, id } = message
  const fault =
    fields.length === 0 ? undefined : checkParamHeaders(fields, params?.['arguments'], request.headers)
  if (fault !== undefined) return void refuseHeaders(response, message, fault)
  const { accept } = request.headers
  const takesStream = accept === undefined || /event-stream|\*\/\*/.test(accept)
  const traceParent = headerOf(request.headers, 'traceparent')
  const exchange = new ModernExchange(http, response, { id, meta, since: now, takesStream, traceParent })
  return connection.handle(method, params ?? {}, exchange).then(
    (result) => exchange.answer(success(id, result)),
    (problem: unknown) => exchange.answer(failure(id, toWireError(problem, http.report))),
  )
}

function sendProblem(http: McpHttp, { message, post }: Asked, problem: unknown): void {
  sendJson(post.response, 200, failure(message.id, toWireError(problem, http.report)))
}

function discover(connection: GatewaySession, meta: JsonObject): JsonObject {
  const info = meta[metaKeys.clientInfo]
  return connection.initialize({
    era: 'modern',
    protocolVersion: meta[metaKeys.protocolVersion] as string,
    clientInfo: isObject(info) ? info : {},
    capabilities: meta[metaKeys.clientCapabilities] as JsonObject,
  })
}

export async function takeModernNotification(
  http: McpHttp,
  message: JsonRpcNotification,
  { response, identity, now }: IncomingRequest,
): Promise<void> {
  sendEmpty(response, 202)
  // A modern request is canceled by closing its connection; ids of different connections are unrelated.
  if (message.method === 'notifications/cancelled') return
  try {
    const held = await http.connections.hold(identity, now)
    held.connection.notified(message.method, message.params ?? {})
    held.release()
  } catch (problem) {
    http.report(problem)
  }
}

function refuseHeaders(response: ServerResponse, { id }: JsonRpcRequest, message: string): void {
  sendError(response, { status: 400, error: { code: mcpErrorCodes.headerMismatch, message }, id })
}
