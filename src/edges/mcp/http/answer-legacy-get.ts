import { headerOf } from './sort-post.js'
import type { Door } from './http-transport.js'
import { findSession, type SessionKnock } from './find-session.js'
import { refuse, sendEmpty } from './reply.js'

/** The session's own stream, or the rest of one that broke. */
export function answerLegacyGet(door: Door, knock: SessionKnock): void {
  const { request, response } = knock
  if (!/text\/event-stream|\*\/\*/.test(request.headers.accept ?? ''))
    return refuse(response, 406, 'A GET here opens an event stream. Send Accept: text/event-stream.')
  const session = findSession(door, knock)
  if (session === undefined) return
  const lastEventId = headerOf(request.headers, 'last-event-id')
  if (lastEventId === undefined || lastEventId === '') return session.channels.connect(response)
  if (!session.channels.resume(lastEventId, response))
    refuse(response, 400, 'The event of Last-Event-ID is no longer kept here. Open a new stream without it.')
}

/** The client leaves. */
export function answerLegacyDelete(door: Door, knock: SessionKnock): void {
  const session = findSession(door, knock)
  if (session === undefined) return
  door.sessions.end(session)
  sendEmpty(knock.response, 204)
}
