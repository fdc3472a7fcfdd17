import { messageKind, type JsonObject, type JsonRpcRequest } from '../../../sources/mcp/protocol/json-rpc.js'
import { agreedRevision } from '../../../sources/mcp/protocol/revisions.js'
import type { IncomingRequest } from '../../server/request-handler.js'
import { runOne, takeOneWay } from './answer-legacy-post.js'
import type { McpHttp } from './mcp-http.js'
import type { LegacyReply } from './legacy-reply.js'
import type { LegacySession } from './legacy-session.js'
import type { Route } from './mcp-http.js'
import { headerOf } from './sort-post.js'
import { sendEmpty } from '../../server/respond.js'
import { failure, refuse, success } from './reply.js'
import { toWireError } from '../to-wire-error.js'

/**
 * The transport of 2024-11-05: a stream that first names the path for POSTs, and then has every answer. The session ends
 * with its stream.
 */
export async function openTwoPathStream(
  http: McpHttp,
  { surface }: Route,
  { response, identity, now }: IncomingRequest,
): Promise<void> {
  let session: LegacySession
  try {
    session = await http.sessions.create(identity, now)
  } catch (problem) {
    return refuse(response, 503, toWireError(problem, http.report).message)
  }
  if (response.destroyed) return http.sessions.end(session)
  session.revision = '2024-11-05'
  response.once('close', () => http.sessions.end(session))
  session.channels.connect(response)
  // A session belongs to its surface, so the path for POSTs names the same surface.
  const path = surface === undefined ? '/messages' : `/messages/${surface}`
  http.streams.write(response, { event: 'endpoint', data: `${path}?sessionId=${session.id}` })
}

export interface TwoPathPost extends IncomingRequest {
  readonly body: unknown
}

export function answerTwoPathPost(
  http: McpHttp,
  { request, response, identity, body, now }: TwoPathPost,
): void {
  const id = new URLSearchParams(request.url?.split('?')[1]).get('sessionId') ?? ''
  const session = http.sessions.find(id, identity, now)
  if (session === undefined) return refuse(response, 404, 'Session not found')
  const kind = messageKind(body)
  if (kind === undefined) return refuse(response, 400, 'The body is no JSON-RPC message.')
  sendEmpty(response, 202)
  const send = (message: JsonObject) => session.channels.push(session.channels.own, message)
  if (kind !== 'request') return takeOneWay(session, body as JsonObject)
  const message = body as JsonRpcRequest
  if (message.method === 'initialize') return send(initialize(http, session, message))
  const reply: LegacyReply = { send, answer: send, drop: () => undefined }
  runOne(http, session, { message, reply, traceParent: headerOf(request.headers, 'traceparent') })
}

function initialize(http: McpHttp, session: LegacySession, { id, params = {} }: JsonRpcRequest): JsonObject {
  try {
    return success(id, session.initialize(params, agreedRevision(params['protocolVersion'])))
  } catch (problem) {
    return failure(id, toWireError(problem, http.report))
  }
}
