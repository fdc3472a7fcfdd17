import type { ServerResponse } from 'node:http'
import { isObject } from '../../../platform/json/is-object.js'
import { messageKind } from '../../../sources/mcp/protocol/json-rpc.js'
import type { JsonObject, JsonRpcRequest } from '../../../sources/mcp/protocol/json-rpc.js'
import { mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { agreedRevision } from '../../../sources/mcp/protocol/revisions.js'
import { createStopSignal, type StopController } from '../../../platform/async/stop-signal.js'
import { toWireError } from '../to-wire-error.js'
import type { IncomingRequest } from '../../server/request-handler.js'
import { tooManyInFlight } from '../too-many-in-flight.js'
import type { McpHttp } from './mcp-http.js'
import { findSession } from './find-session.js'
import { createLegacyReply, type LegacyReply } from './legacy-reply.js'
import type { LegacySession, RunningRequest } from './legacy-session.js'
import { sendEmpty } from '../../server/respond.js'
import { failure, sendError, sendJson, success } from './reply.js'
import { headerOf } from './sort-post.js'

export interface LegacyPost extends IncomingRequest {
  readonly messages: readonly JsonObject[]
  readonly isBatch: boolean
}

export function answerLegacyPost(http: McpHttp, post: LegacyPost): void {
  const { request, response, messages, isBatch } = post
  // The HTTP server has charged for the first message.
  if (isBatch && !post.charge(messages.length - 1)) return
  if (messages.some((message) => message['method'] === 'initialize'))
    return void initialize(http, post).catch(http.report)
  const session = findSession(http, post)
  if (session === undefined) return
  if (isBatch && session.revision !== '2025-03-26') {
    const error = {
      code: mcpErrorCodes.invalidRequest,
      message: 'Batches belong to revision 2025-03-26 only.',
    }
    return sendError(response, { status: 400, error })
  }
  const requests: JsonRpcRequest[] = []
  for (const message of messages)
    if (messageKind(message) === 'request') requests.push(message as unknown as JsonRpcRequest)
    else takeOneWay(session, message)
  if (requests.length === 0) return sendEmpty(response, 202)
  const traceParent = headerOf(request.headers, 'traceparent')
  runAll(http, session, { response, isBatch, requests, traceParent })
}

/** Opens a session. */
async function initialize(
  http: McpHttp,
  { request, response, identity, messages, now }: LegacyPost,
): Promise<void> {
  const message = messages[0] as unknown as JsonRpcRequest
  const known = request.headers['mcp-session-id'] !== undefined
  if (messages.length > 1 || messageKind(message) !== 'request' || known) {
    const text = known ? 'This session is initialized already.' : 'initialize must be a request of its own.'
    return sendError(response, { status: 400, error: { code: mcpErrorCodes.invalidRequest, message: text } })
  }
  try {
    const session = await http.sessions.create(identity, now)
    const params = message.params ?? {}
    try {
      const result = session.initialize(params, agreedRevision(params['protocolVersion']))
      // The client has disconnected and does not know the session's id, so the session is of no use.
      if (response.destroyed) return http.sessions.end(session)
      sendJson(response, 200, success(message.id, result), { 'mcp-session-id': session.id })
    } catch (problem) {
      http.sessions.end(session)
      throw problem
    }
  } catch (problem) {
    sendJson(response, 200, failure(message.id, toWireError(problem, http.report)))
  }
}

/** Handles a notification or an answer. */
export function takeOneWay(session: LegacySession, message: JsonObject): void {
  const kind = messageKind(message)
  if (kind === 'response') return session.answer(message)
  if (kind !== 'notification') return
  const params = isObject(message['params']) ? message['params'] : {}
  if (message['method'] === 'notifications/cancelled') return session.cancel(params['requestId'])
  session.connection.notified(message['method'] as string, params)
}

interface Batch {
  readonly response: ServerResponse
  readonly isBatch: boolean
  readonly requests: readonly JsonRpcRequest[]
  readonly traceParent: string | undefined
}

function runAll(http: McpHttp, session: LegacySession, batch: Batch): void {
  const { response, isBatch, requests, traceParent } = batch
  const controllers: StopController[] = []
  const reply = createLegacyReply({
    http,
    session,
    response,
    isBatch,
    expected: requests.length,
    lost: () =>
      controllers.forEach((controller) =>
        controller.stop(new Error('The client has closed the connection.')),
      ),
  })
  for (const message of requests) controllers.push(runOne(http, session, { message, reply, traceParent }))
}

interface LegacyRequest {
  readonly message: JsonRpcRequest
  readonly reply: LegacyReply
  /** The header of the HTTP request. */
  readonly traceParent: string | undefined
}

/** Starts one request of a session; its answer goes to the reply unless the client cancels it. */
export function runOne(
  http: McpHttp,
  session: LegacySession,
  { message, reply, traceParent }: LegacyRequest,
): StopController {
  const controller = createStopSignal()
  const { id, params } = message
  if (message.method === 'ping') {
    reply.answer(success(id, {}))
    return controller
  }
  let isOver = false
  if (!http.inFlight.begin(session.callerKey)) {
    reply.answer(failure(id, toWireError(tooManyInFlight(), http.report)))
    return controller
  }
  const running: RunningRequest = {
    controller,
    drop() {
      isOver = true
      reply.drop()
    },
    fail(error) {
      isOver = true
      reply.answer(failure(id, toWireError(error, http.report)))
    },
  }
  const meta = params?.['_meta']
  session.running.set(id, running)
  const exchange = {
    id,
    era: 'legacy' as const,
    signal: controller.signal,
    capabilities: session.capabilities,
    meta: isObject(meta) ? meta : undefined,
    traceParent,
    notify: (method: string, body: JsonObject) => reply.send({ jsonrpc: '2.0', method, params: body }),
    ask: (question: Parameters<LegacySession['ask']>[1], signal: AbortSignal) =>
      session.ask(reply.send, question, signal),
  }
  const end = (answer: JsonObject): void => {
    http.inFlight.end(session.callerKey)
    // A client may use an id twice; then only the later request can be canceled.
    if (session.running.get(id) === running) session.running.delete(id)
    if (!isOver) reply.answer(answer)
  }
  session.connection
    .handle(message.method, params ?? {}, exchange)
    .then(
      (result) => end(success(id, result)),
      (problem: unknown) => end(failure(id, toWireError(problem, http.report))),
    )
    .catch(http.report)
  return controller
}
