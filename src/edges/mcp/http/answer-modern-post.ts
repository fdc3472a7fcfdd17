import type { ServerResponse } from 'node:http'
import { createStopSignal } from '../../../platform/async/stop-signal.js'
import { isObject } from '../../../platform/json/is-object.js'
import type {
  JsonObject,
  JsonRpcNotification,
  JsonRpcRequest,
} from '../../../sources/mcp/protocol/json-rpc.js'
import { mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { metaKeys } from '../../../sources/mcp/protocol/meta-keys.js'
import type { GatewaySession } from '../gateway.js'
import { toWireError } from '../to-wire-error.js'
import type { IncomingRequest } from '../../server/request-handler.js'
import { checkParamHeaders, checkRequestHeaders } from './check-request-headers.js'
import type { Held } from './modern-connections.js'
import { tooManyInFlight } from '../too-many-in-flight.js'
import type { McpHttp } from './mcp-http.js'
import { createModernReply } from './modern-reply.js'
import { openSubscription } from './open-subscription.js'
import { sendEmpty } from '../../server/respond.js'
import { failure, sendError, sendJson, success } from './reply.js'
import { runRequest } from './run-request.js'

/** Methods of the legacy era that the modern revision removed. */
const removed = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])

export async function answerModernRequest(
  http: McpHttp,
  { message, meta }: { message: JsonRpcRequest; meta: JsonObject },
  post: IncomingRequest,
): Promise<void> {
  const { request, response, identity } = post
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
  try {
    await answerHeld(http, { message, meta, post })
  } finally {
    http.inFlight.end(identity.key)
  }
}

async function answerHeld(http: McpHttp, asked: Asked): Promise<void> {
  const { message, post } = asked
  const { response, identity, now } = post
  let held: Held
  try {
    const holding = http.connections.hold(identity, now)
    held = holding instanceof Promise ? await holding : holding
  } catch (problem) {
    return sendJson(response, 200, failure(message.id, toWireError(problem, http.report)))
  }
  try {
    await answerWith(http, held.connection, asked)
  } catch (problem) {
    sendJson(response, 200, failure(message.id, toWireError(problem, http.report)))
  } finally {
    held.release()
  }
}

interface Asked {
  readonly message: JsonRpcRequest
  readonly meta: JsonObject
  readonly post: IncomingRequest
}

async function answerWith(
  http: McpHttp,
  connection: GatewaySession,
  { message, meta, post }: Asked,
): Promise<void> {
  const { request, response, now } = post
  const { method, params, id } = message
  if (method === 'server/discover') return sendJson(response, 200, success(id, discover(connection, meta)))
  if (method === 'subscriptions/listen')
    return openSubscription(http, connection, { message, response, discovery: discover(connection, meta) })
  if (method === 'tools/call' && typeof params?.['name'] === 'string') {
    const found = connection.headerFields?.(params['name']) ?? []
    const fields = found instanceof Promise ? await found : found
    const fault = checkParamHeaders(fields, params['arguments'], request.headers)
    if (fault !== undefined) return refuseHeaders(response, message, fault)
  }
  const controller = createStopSignal()
  const takesStream =
    request.headers.accept === undefined || /event-stream|\*\/\*/.test(request.headers.accept)
  const reply = createModernReply(http, response, {
    takesStream,
    since: now,
    lost: () => controller.stop(new Error('The client has closed the connection.')),
  })
  http.modernRequests.add(controller)
  const exchange = {
    id,
    era: 'modern' as const,
    signal: controller.signal,
    capabilities: meta[metaKeys.clientCapabilities] as JsonObject,
    meta,
    notify: (name: string, body: JsonObject) => reply.send({ jsonrpc: '2.0', method: name, params: body }),
  }
  const answer = await runRequest(connection, message, { exchange, report: http.report })
  http.modernRequests.delete(controller)
  reply.answer(answer)
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
