import type { IncomingMessage, ServerResponse } from 'node:http'
import { mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { eraOf } from '../../../sources/mcp/protocol/revisions.js'
import {
  CLIENT_SHAPE,
  sayShapeProblem,
  type ShapeLimits,
} from '../../../sources/mcp/protocol/shape-limits.js'
import type { Visitor } from './admit.js'
import { answerLegacyDelete, answerLegacyGet } from './answer-legacy-get.js'
import { answerLegacyPost } from './answer-legacy-post.js'
import { answerModernRequest, takeModernNotification } from './answer-modern-post.js'
import type { Door } from './http-transport.js'
import { readBody, type Body } from './read-body.js'
import { refuse, sendError } from './reply.js'
import type { Route } from './route-of.js'
import { headerOf, sortPost } from './sort-post.js'
import { answerTwoPathPost, openTwoPathStream } from './two-path-transport.js'

export interface Knock {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly visitor: Visitor
  readonly now: number
}

/** Answers a request whose sender may come in. */
export function answerRequest(door: Door, route: Route, knock: Knock): void {
  const { request, response } = knock
  const { method } = request
  if (route.kind === 'stream') {
    if (method !== 'GET') return refuse(response, 405, 'Only GET is answered here.', { allow: 'GET' })
    return void openTwoPathStream(door, route, knock).catch(door.tell)
  }
  if (method === 'POST') return answerPost(door, route, knock)
  if (route.kind === 'messages')
    return refuse(response, 405, 'Only POST is answered here.', { allow: 'POST' })
  const named = headerOf(request.headers, 'mcp-protocol-version')
  const isModern = named !== undefined && eraOf(named) === 'modern'
  if (isModern) return refuse(response, 405, `Revision ${named} only has POST.`, { allow: 'POST' })
  if (method === 'GET') return answerLegacyGet(door, knock)
  if (method === 'DELETE') return answerLegacyDelete(door, knock)
  refuse(response, 405, 'Only POST, GET and DELETE are answered here.', { allow: 'GET, POST, DELETE' })
}

function answerPost(door: Door, route: Route, knock: Knock): void {
  const { request, response } = knock
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    return refuse(response, 415, 'The body must be JSON. Send Content-Type: application/json.')
  const { accept } = request.headers
  if (route.kind === 'mcp' && accept !== undefined && !takesJson(accept))
    return refuse(response, 406, 'Send Accept: application/json, text/event-stream.')
  readBody(request, limitsOf(door), (body) => {
    if ('refused' in body) return refuseBody(door, knock, body)
    if (route.kind === 'messages') return answerTwoPathPost(door, { ...knock, body: body.value })
    answerMessage(door, knock, body.value)
  })
}

function answerMessage(door: Door, knock: Knock, body: unknown): void {
  const { request, response } = knock
  const sorted = sortPost(body, request.headers)
  switch (sorted.era) {
    case 'none':
      return sendError(response, sorted.reply)
    case 'modern':
      if (sorted.kind === 'notification')
        return void takeModernNotification(door, sorted.message, knock).catch(door.tell)
      return void answerModernRequest(door, sorted, knock).catch(door.tell)
    case 'legacy': {
      const { accept } = request.headers
      // An answer may turn into a stream at any moment; a client that cannot read one would lose it.
      if (accept !== undefined && !takesStream(accept))
        return refuse(response, 406, 'Send Accept: application/json, text/event-stream.')
      return answerLegacyPost(door, { ...knock, messages: sorted.messages, isBatch: sorted.isBatch })
    }
  }
}

function takesJson(accept: string): boolean {
  return /application\/(json|\*)|\*\/\*/i.test(accept)
}

function takesStream(accept: string): boolean {
  return /text\/(event-stream|\*)|\*\/\*/i.test(accept)
}

function limitsOf({ settings }: Door): ShapeLimits {
  return { ...CLIENT_SHAPE, maxBytes: settings.maxBodyBytes }
}

/** How long the rest of a body that is too long is let in and thrown away, so that the client hears why. */
const DRAIN_MS = 1000

function refuseBody(
  door: Door,
  { request, response }: Knock,
  body: Extract<Body, { refused: string }>,
): void {
  switch (body.refused) {
    case 'too_large': {
      const text = `The body is too long. At most ${door.settings.maxBodyBytes} bytes are read here.`
      refuse(response, 413, text, { connection: 'close' })
      request.resume()
      const timer = setTimeout(() => request.destroy(), DRAIN_MS)
      request.once('close', () => clearTimeout(timer))
      return
    }
    case 'not_json': {
      const error = { code: mcpErrorCodes.parseError, message: 'The body is not valid JSON.' }
      return sendError(response, { status: 400, error })
    }
    case 'shape': {
      const message = `The message ${sayShapeProblem(body.problem, limitsOf(door))}.`
      const error = { code: mcpErrorCodes.invalidRequest, message }
      return sendError(response, { status: 400, error, id: body.id })
    }
    case 'broken':
      return void response.destroy()
  }
}
