import type { IncomingMessage, ServerResponse } from 'node:http'
import { messageKind, type JsonObject, type JsonRpcRequest } from '../../../sources/mcp/protocol/json-rpc.js'
import { agreedRevision } from '../../../sources/mcp/protocol/revisions.js'
import type { Visitor } from './admit.js'
import { runOne, takeOneWay } from './answer-legacy-post.js'
import type { Door } from './http-transport.js'
import type { LegacyOutlet } from './legacy-transport.js'
import type { LegacySession } from './legacy-session.js'
import type { Route } from './route-of.js'
import { failure, refuse, sendEmpty, success } from './reply.js'
import { toWireError } from '../to-wire-error.js'

/**
 * The transport of 2024-11-05: a stream that first names the path for POSTs, and then carries every answer. The session
 * lives as long as its stream.
 */
export async function openTwoPathStream(
  door: Door,
  { surface }: Route,
  { response, visitor, now }: { response: ServerResponse; visitor: Visitor; now: number },
): Promise<void> {
  let session: LegacySession
  try {
    session = await door.sessions.create(visitor, now)
  } catch (problem) {
    return refuse(response, 503, toWireError(problem, door.tell).message)
  }
  if (response.destroyed) return door.sessions.end(session)
  session.revision = '2024-11-05'
  response.once('close', () => door.sessions.end(session))
  session.channels.connect(response)
  // A session belongs to its surface, so what is sent to it must name the same.
  const path = surface === undefined ? '/messages' : `/messages/${surface}`
  door.streams.write(response, { event: 'endpoint', data: `${path}?sessionId=${session.id}` })
}

export interface TwoPathPost {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly visitor: Visitor
  readonly body: unknown
  readonly now: number
}

export function answerTwoPathPost(door: Door, { request, response, visitor, body, now }: TwoPathPost): void {
  const id = new URLSearchParams(request.url?.split('?')[1]).get('sessionId') ?? ''
  const session = door.sessions.find(id, visitor, now)
  if (session === undefined) return refuse(response, 404, 'Session not found')
  const kind = messageKind(body)
  if (kind === undefined) return refuse(response, 400, 'The body is no JSON-RPC message.')
  sendEmpty(response, 202)
  const send = (message: JsonObject) => session.channels.push(session.channels.own, message)
  if (kind !== 'request') return takeOneWay(session, body as JsonObject)
  const message = body as JsonRpcRequest
  if (message.method === 'initialize') return send(greet(door, session, message))
  const outlet: LegacyOutlet = { send, answer: send, drop: () => undefined }
  runOne(door, session, { message, outlet })
}

function greet(door: Door, session: LegacySession, { id, params = {} }: JsonRpcRequest): JsonObject {
  try {
    return success(id, session.hello(params, agreedRevision(params['protocolVersion'])))
  } catch (problem) {
    return failure(id, toWireError(problem, door.tell))
  }
}
