import { headerOf } from './sort-post.js'
import type { McpHttp } from './mcp-http.js'
import type { IncomingRequest } from '../../server/request-handler.js'
import { findSession } from './find-session.js'
import { sendEmpty } from '../../server/respond.js'
import { refuse } from './reply.js'

/** The session's own stream, or the rest of one that broke. */
export function answerLegacyGet(http: McpHttp, incoming: IncomingRequest): void {
  const { request, response } = incoming
  if (!/text\/event-stream|\*\/\*/.test(request.headers.accept ?? ''))
    return refuse(response, 406, 'A GET here opens an event stream. Send Accept: text/event-stream.')
  const session = findSession(http, incoming)
  if (session === undefined) return
  const lastEventId = headerOf(request.headers, 'last-event-id')
  if (lastEventId === undefined || lastEventId === '') return session.channels.connect(response)
  if (!session.channels.resume(lastEventId, response))
    refuse(response, 400, 'The event of Last-Event-ID is no longer kept here. Open a new stream without it.')
}

/** The client leaves. */
export function answerLegacyDelete(http: McpHttp, incoming: IncomingRequest): void {
  const session = findSession(http, incoming)
  if (session === undefined) return
  http.sessions.end(session)
  sendEmpty(incoming.response, 204)
}
