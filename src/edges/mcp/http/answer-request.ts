import { mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { eraOf } from '../../../sources/mcp/protocol/revisions.js'
import { describeShapeProblem } from '../../../sources/mcp/protocol/shape-limits.js'
import { answerLegacyPost } from './answer-legacy-post.js'
import { answerModernRequest, takeModernNotification } from './answer-modern-post.js'
import { discardBody } from '../../server/discard-body.js'
import type { IncomingRequest } from '../../server/request-handler.js'
import { sendEmpty } from '../../server/respond.js'
import { findSession } from './find-session.js'
import type { McpHttp } from './mcp-http.js'
import { readBody, type Body } from './read-body.js'
import { refuse, sendError } from './reply.js'
import type { Route } from './mcp-http.js'
import { headerOf, sortPost } from './sort-post.js'
import { answerTwoPathPost, openTwoPathStream } from './two-path-transport.js'

/** Answers a request whose sender is authenticated. */
export function answerRequest(http: McpHttp, route: Route, incoming: IncomingRequest): void {
  const { request, response } = incoming
  const { method } = request
  if (route.kind === 'stream') {
    if (method !== 'GET') return refuse(response, 405, 'Only GET is answered here.', { allow: 'GET' })
    return void openTwoPathStream(http, route, incoming).catch(http.report)
  }
  if (method === 'POST') return answerPost(http, route, incoming)
  if (route.kind === 'messages')
    return refuse(response, 405, 'Only POST is answered here.', { allow: 'POST' })
  const named = headerOf(request.headers, 'mcp-protocol-version')
  const isModern = named !== undefined && eraOf(named) === 'modern'
  if (isModern) return refuse(response, 405, `Revision ${named} only has POST.`, { allow: 'POST' })
  if (method === 'GET') return answerLegacyGet(http, incoming)
  if (method === 'DELETE') return answerLegacyDelete(http, incoming)
  refuse(response, 405, 'Only POST, GET and DELETE are answered here.', { allow: 'GET, POST, DELETE' })
}

function answerPost(http: McpHttp, route: Route, incoming: IncomingRequest): void {
  const { request, response } = incoming
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    return refuse(response, 415, 'The body must be JSON. Send Content-Type: application/json.')
  const { accept } = request.headers
  if (route.kind === 'mcp' && accept !== undefined && !takesJson(accept))
    return refuse(response, 406, 'Send Accept: application/json, text/event-stream.')
  readBody(request, http.limits, (body) => {
    if ('refused' in body) return refuseBody(http, incoming, body)
    if (route.kind === 'messages') return answerTwoPathPost(http, { body: body.value, ...incoming })
    answerMessage(http, incoming, body.value)
  })
}

function answerMessage(http: McpHttp, incoming: IncomingRequest, body: unknown): void {
  const { request, response } = incoming
  const sorted = sortPost(body, request.headers)
  switch (sorted.era) {
    case 'none':
      return sendError(response, sorted.reply)
    case 'modern':
      if (sorted.kind === 'notification')
        return void takeModernNotification(http, sorted.message, incoming).catch(http.report)
      return answerModernRequest(http, sorted, incoming)
    case 'legacy': {
      const { accept } = request.headers
      // An answer may become a stream at any moment; a client that cannot read streams would lose it.
      if (accept !== undefined && !takesStream(accept))
        return refuse(response, 406, 'Send Accept: application/json, text/event-stream.')
      return answerLegacyPost(http, { messages: sorted.messages, isBatch: sorted.isBatch, ...incoming })
    }
  }
}

function takesJson(accept: string): boolean {
  return /application\/(json|\*)|\*\/\*/i.test(accept)
}

function takesStream(accept: string): boolean {
  return /text\/(event-stream|\*)|\*\/\*/i.test(accept)
}

function refuseBody(
  http: McpHttp,
  { request, response }: IncomingRequest,
  body: Extract<Body, { refused: string }>,
): void {
  switch (body.refused) {
    case 'too_large': {
      const text = `The body is too long. At most ${http.settings.maxBodyBytes} bytes are read here.`
      refuse(response, 413, text)
      return discardBody(request)
    }
    case 'not_json': {
      const error = { code: mcpErrorCodes.parseError, message: 'The body is not valid JSON.' }
      return sendError(response, { status: 400, error })
    }
    case 'shape': {
      const message = `The message ${describeShapeProblem(body.problem, http.limits)}.`
      const error = { code: mcpErrorCodes.invalidRequest, message }
      return sendError(response, { status: 400, error, id: body.id })
    }
    case 'broken':
      return void response.destroy()
  }
}

/** Opens the session's own stream, or resumes one that broke. */
function answerLegacyGet(http: McpHttp, incoming: IncomingRequest): void {
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

/** Ends the session at the client's request. */
function answerLegacyDelete(http: McpHttp, incoming: IncomingRequest): void {
  const session = findSession(http, incoming)
  if (session === undefined) return
  http.sessions.end(session)
  sendEmpty(incoming.response, 204)
}
