import type { IncomingMessage, ServerResponse } from 'node:http'
import type {
  JsonObject,
  JsonRpcNotification,
  JsonRpcRequest,
} from '../../../sources/mcp/protocol/json-rpc.js'
import { isJsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { metaKeys } from '../../../sources/mcp/protocol/meta-keys.js'
import type { GatewaySession } from '../gateway.js'
import { toWireError } from '../to-wire-error.js'
import type { Visitor } from './admit.js'
import { checkParamHeaders, checkRequestHeaders } from './check-request-headers.js'
import type { Held } from './modern-connections.js'
import { tooManyUnderWay } from './create-under-way.js'
import type { Door } from './http-transport.js'
import { createModernOutlet } from './modern-transport.js'
import { openSubscription } from './open-subscription.js'
import { failure, sendEmpty, sendError, sendJson, success } from './reply.js'
import { runRequest } from './run-request.js'

export interface ModernPost {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly visitor: Visitor
  readonly now: number
}

/** Methods of the handshake era that this revision took away. */
const removed = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])

export async function answerModernRequest(
  door: Door,
  { message, meta }: { message: JsonRpcRequest; meta: JsonObject },
  post: ModernPost,
): Promise<void> {
  const { request, response, visitor } = post
  const fault = checkRequestHeaders(message, request.headers)
  if (fault !== undefined) return refuseHeaders(response, message, fault)
  if (removed.has(message.method)) {
    const error = { code: mcpErrorCodes.methodNotFound, message: 'Method not found' }
    return sendError(response, { status: 404, error, id: message.id })
  }
  if (!door.underWay.begin(visitor.key)) {
    const error = toWireError(tooManyUnderWay(), door.tell)
    return sendError(response, { status: 429, error, id: message.id, headers: { 'retry-after': '1' } })
  }
  try {
    await answerHeld(door, { message, meta, post })
  } finally {
    door.underWay.end(visitor.key)
  }
}

async function answerHeld(door: Door, asked: Asked): Promise<void> {
  const { message, post } = asked
  const { response, visitor, now } = post
  let held: Held
  try {
    const holding = door.places.hold(visitor, now)
    held = holding instanceof Promise ? await holding : holding
  } catch (problem) {
    return sendJson(response, 200, failure(message.id, toWireError(problem, door.tell)))
  }
  try {
    await answerWith(door, held.place, asked)
  } catch (problem) {
    sendJson(response, 200, failure(message.id, toWireError(problem, door.tell)))
  } finally {
    held.release()
  }
}

interface Asked {
  readonly message: JsonRpcRequest
  readonly meta: JsonObject
  readonly post: ModernPost
}

async function answerWith(door: Door, place: GatewaySession, { message, meta, post }: Asked): Promise<void> {
  const { request, response, now } = post
  const { method, params, id } = message
  if (method === 'server/discover') return sendJson(response, 200, success(id, greet(place, meta)))
  if (method === 'subscriptions/listen')
    return openSubscription(door, place, { message, response, hello: greet(place, meta) })
  if (method === 'tools/call' && typeof params?.['name'] === 'string') {
    const found = place.headerFields?.(params['name']) ?? []
    const fields = found instanceof Promise ? await found : found
    const fault = checkParamHeaders(fields, params['arguments'], request.headers)
    if (fault !== undefined) return refuseHeaders(response, message, fault)
  }
  const controller = new AbortController()
  const takesStream =
    request.headers.accept === undefined || /event-stream|\*\/\*/.test(request.headers.accept)
  const outlet = createModernOutlet(door, response, {
    takesStream,
    since: now,
    lost: () => controller.abort(),
  })
  door.modernRequests.add(controller)
  const exchange = {
    id,
    era: 'modern' as const,
    signal: controller.signal,
    capabilities: meta[metaKeys.clientCapabilities] as JsonObject,
    meta,
    notify: (name: string, body: JsonObject) => outlet.send({ jsonrpc: '2.0', method: name, params: body }),
  }
  const answer = await runRequest(place, message, { exchange, tell: door.tell })
  door.modernRequests.delete(controller)
  outlet.answer(answer)
}

function greet(place: GatewaySession, meta: JsonObject): JsonObject {
  const info = meta[metaKeys.clientInfo]
  return place.hello({
    era: 'modern',
    protocolVersion: meta[metaKeys.protocolVersion] as string,
    clientInfo: isJsonObject(info) ? info : {},
    capabilities: meta[metaKeys.clientCapabilities] as JsonObject,
  })
}

export async function takeModernNotification(
  door: Door,
  message: JsonRpcNotification,
  { response, visitor, now }: ModernPost,
): Promise<void> {
  sendEmpty(response, 202)
  // A modern request is cancelled by closing its connection; ids of different connections say nothing of each other.
  if (message.method === 'notifications/cancelled') return
  try {
    const held = await door.places.hold(visitor, now)
    held.place.notified(message.method, message.params ?? {})
    held.release()
  } catch (problem) {
    door.tell(problem)
  }
}

function refuseHeaders(response: ServerResponse, { id }: JsonRpcRequest, message: string): void {
  sendError(response, { status: 400, error: { code: mcpErrorCodes.headerMismatch, message }, id })
}
