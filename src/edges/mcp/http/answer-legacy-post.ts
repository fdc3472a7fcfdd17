import type { IncomingMessage, ServerResponse } from 'node:http'
import { isJsonObject, messageKind } from '../../../sources/mcp/protocol/json-rpc.js'
import type { JsonObject, JsonRpcRequest } from '../../../sources/mcp/protocol/json-rpc.js'
import { mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { agreedRevision } from '../../../sources/mcp/protocol/revisions.js'
import { toWireError } from '../to-wire-error.js'
import type { Visitor } from './admit.js'
import { charge } from './charge.js'
import { tooManyUnderWay } from './create-under-way.js'
import type { Door } from './http-transport.js'
import { findSession } from './find-session.js'
import { createLegacyOutlet, type LegacyOutlet } from './legacy-transport.js'
import type { LegacySession, RunningRequest } from './legacy-session.js'
import { failure, sendEmpty, sendError, sendJson, success } from './reply.js'
import { runRequest } from './run-request.js'

export interface LegacyPost {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly visitor: Visitor
  readonly messages: readonly JsonObject[]
  readonly isBatch: boolean
  readonly now: number
}

export function answerLegacyPost(door: Door, post: LegacyPost): void {
  const { request, response, visitor, messages, isBatch, now } = post
  // The first has been paid for at the door.
  if (isBatch && !charge(door, post, messages.length - 1)) return
  if (messages.some((message) => message['method'] === 'initialize'))
    return void initialize(door, post).catch(door.tell)
  const session = findSession(door, { request, response, visitor, now })
  if (session === undefined) return
  if (isBatch && session.revision !== '2025-03-26') {
    const error = {
      code: mcpErrorCodes.invalidRequest,
      message: 'Batches belong to revision 2025-03-26 only.',
    }
    return sendError(response, { status: 400, error })
  }
  const requests = messages.filter((message) => messageKind(message) === 'request')
  for (const message of messages) takeOneWay(session, message)
  if (requests.length === 0) return sendEmpty(response, 202)
  runAll(door, session, { response, isBatch, requests: requests as unknown as JsonRpcRequest[] })
}

/** Opens the session that the rest of the conversation happens in. */
async function initialize(
  door: Door,
  { request, response, visitor, messages, now }: LegacyPost,
): Promise<void> {
  const message = messages[0] as unknown as JsonRpcRequest
  const known = request.headers['mcp-session-id'] !== undefined
  if (messages.length > 1 || messageKind(message) !== 'request' || known) {
    const text = known ? 'This session is initialized already.' : 'initialize must be a request of its own.'
    return sendError(response, { status: 400, error: { code: mcpErrorCodes.invalidRequest, message: text } })
  }
  try {
    const session = await door.sessions.create(visitor, now)
    const params = message.params ?? {}
    try {
      const result = session.hello(params, agreedRevision(params['protocolVersion']))
      // Gone meanwhile: nobody holds its id, so it would only wait for its end.
      if (response.destroyed) return door.sessions.end(session)
      sendJson(response, 200, success(message.id, result), { 'mcp-session-id': session.id })
    } catch (problem) {
      door.sessions.end(session)
      throw problem
    }
  } catch (problem) {
    sendJson(response, 200, failure(message.id, toWireError(problem, door.tell)))
  }
}

/** Notifications and answers. */
export function takeOneWay(session: LegacySession, message: JsonObject): void {
  const kind = messageKind(message)
  if (kind === 'response') return session.answer(message)
  if (kind !== 'notification') return
  const params = isJsonObject(message['params']) ? message['params'] : {}
  if (message['method'] === 'notifications/cancelled') return session.cancel(params['requestId'])
  session.place.notified(message['method'] as string, params)
}

interface Batch {
  readonly response: ServerResponse
  readonly isBatch: boolean
  readonly requests: readonly JsonRpcRequest[]
}

function runAll(door: Door, session: LegacySession, { response, isBatch, requests }: Batch): void {
  const controllers: AbortController[] = []
  const outlet = createLegacyOutlet({
    door,
    session,
    response,
    isBatch,
    expected: requests.length,
    lost: () => controllers.forEach((controller) => controller.abort()),
  })
  for (const message of requests) controllers.push(runOne(door, session, { message, outlet }))
}

/** Starts one request of a session; its answer goes to the outlet unless the client cancels it. */
export function runOne(
  door: Door,
  session: LegacySession,
  { message, outlet }: { message: JsonRpcRequest; outlet: LegacyOutlet },
): AbortController {
  const controller = new AbortController()
  const { id, params } = message
  if (message.method === 'ping') {
    outlet.answer(success(id, {}))
    return controller
  }
  let isOver = false
  if (!door.underWay.begin(session.callerKey)) {
    outlet.answer(failure(id, toWireError(tooManyUnderWay(), door.tell)))
    return controller
  }
  const running: RunningRequest = {
    controller,
    drop() {
      isOver = true
      outlet.drop()
    },
    fail(error) {
      isOver = true
      outlet.answer(failure(id, toWireError(error, door.tell)))
    },
  }
  const meta = params?.['_meta']
  session.running.set(id, running)
  const exchange = {
    id,
    era: 'legacy' as const,
    signal: controller.signal,
    capabilities: session.capabilities,
    meta: isJsonObject(meta) ? meta : undefined,
    notify: (method: string, body: JsonObject) => outlet.send({ jsonrpc: '2.0', method, params: body }),
    ask: (question: Parameters<LegacySession['ask']>[1], signal: AbortSignal) =>
      session.ask(outlet.send, question, signal),
  }
  runRequest(session.place, message, { exchange, tell: door.tell })
    .finally(() => door.underWay.end(session.callerKey))
    .then((answer) => {
      // A client may use an id twice; the younger request is then the one that can be cancelled.
      if (session.running.get(id) === running) session.running.delete(id)
      if (!isOver) outlet.answer(answer)
    })
    .catch(door.tell)
  return controller
}
