import type { Credential } from '../../../http-client/credential.js'
import { isListening } from '../../../http-client/is-listening.js'
import { encodeHeaderValue, headerNames, namedBy } from '../protocol/headers.js'
import {
  messageKind,
  type JsonObject,
  type JsonRpcMessage,
  type JsonRpcResponse,
} from '../protocol/json-rpc.js'
import type { Era } from '../protocol/revisions.js'
import { ConnectionLost } from '../connection/connection.js'
import { paramHeaders } from '../header-fields.js'
import { createClosing } from './closing.js'
import { createHttpAccess } from './http-access.js'
import { Unreachable, type HttpAnswer } from './http-call.js'
import { exchangeOverHttp } from './http-exchange.js'
import { createMessageParser } from './http-messages.js'
import { HttpRefusal } from './http-refusal.js'
import { followServerStream } from './server-stream.js'
import type { Wire, WireOptions } from './wire.js'

export interface HttpWireOptions extends WireOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly credentials?: Credential | undefined
}

/** Timeout for sending a notification or a response. */
export const SEND_TIMEOUT_MS = 30_000
const DELETE_TIMEOUT_MS = 2000

/** Messages over streamable HTTP: a POST for each, and a stream for the server's own messages. */
export function createHttpWire(options: HttpWireOptions): Wire {
  const access = createHttpAccess(options)
  const closing = createClosing()
  const ended = new AbortController()
  /** Requests whose answer is streamed: it may also arrive over another stream. */
  const streamed = new Map<unknown, (response: JsonRpcResponse) => void>()
  let sessionId: string | undefined
  let revision: { era: Era; protocolVersion: string } | undefined

  const lose = (why: string): void => {
    if (!closing.close(why)) return
    ended.abort()
    access.close(why)
  }

  /** A failed connect says nothing about calls on open connections: those may finish. */
  const retire = (why: string): void => {
    if (!closing.close(why)) return
    ended.abort()
    access.retire(why)
  }

  const commonHeaders = (): Record<string, string> => {
    const headers: Record<string, string> = {}
    if (revision) headers[headerNames.protocolVersion] = revision.protocolVersion
    if (sessionId !== undefined && revision?.era === 'legacy') headers[headerNames.sessionId] = sessionId
    return headers
  }

  const postHeaders = (message: JsonRpcMessage, inputSchema?: JsonObject): Record<string, string> => {
    const headers = commonHeaders()
    headers['content-type'] = 'application/json'
    headers['accept'] = 'application/json, text/event-stream'
    if (revision?.era !== 'modern' || !('method' in message)) return headers
    headers[headerNames.method] = message.method
    const name = namedBy(message.method, message.params)
    if (name !== undefined) headers[headerNames.name] = encodeHeaderValue(name)
    if (inputSchema) Object.assign(headers, paramHeaders(inputSchema, message.params?.['arguments']))
    return headers
  }

  /**
   * A broken connection may be one of many, or the end of the server: a server that is gone must not count as healthy.
   */
  const loseWhereGone = async (): Promise<void> => {
    if (!(await isListening(access.url))) lose('The server is gone.')
  }

  const reached = async (call: Promise<HttpAnswer>, mayEndSession = true): Promise<HttpAnswer> => {
    try {
      const answer = await call
      const hasSession = sessionId !== undefined && revision?.era === 'legacy'
      if (answer.status !== 404 || !hasSession || !mayEndSession) return answer
    } catch (error) {
      if (error instanceof Unreachable) retire(error.message)
      else if (error instanceof ConnectionLost) void loseWhereGone()
      throw error
    }
    lose('The server has forgotten the session.')
    throw new ConnectionLost('The server has forgotten the session.', { mayHaveRun: false })
  }

  const receiveUnrelated = (message: JsonRpcMessage): void => {
    if (messageKind(message) === 'response')
      streamed.get((message as JsonRpcResponse).id)?.(message as JsonRpcResponse)
    else options.onMessage(message)
  }

  const answerTo = exchangeOverHttp({
    limits: options.limits,
    post: (request, { signal, attemptMs, inputSchema }, stream) => {
      const headers = postHeaders(request, inputSchema)
      const body = JSON.stringify(request)
      return reached(access.call({ method: 'POST', headers, body, signal, attemptMs, stream }))
    },
    resume: (lastEventId, signal, stream) => {
      const resuming = { accept: 'text/event-stream', [headerNames.lastEventId]: lastEventId }
      const headers = { ...commonHeaders(), ...resuming }
      return access.callAside({ method: 'GET', headers, signal, stream })
    },
    canResume: () => revision?.era === 'legacy' && closing.why === undefined,
    onHead: (request, headers) => {
      if (request.method === 'initialize') sessionId = textOf(headers[headerNames.sessionId])
    },
    receiveUnrelated,
    streamed,
  })

  return {
    kind: 'http',
    get sessionId() {
      return sessionId
    },
    setRevision(as) {
      revision = as
    },
    exchange(request, exchange) {
      if (closing.why !== undefined)
        return Promise.reject(new ConnectionLost(closing.why, { mayHaveRun: false }))
      return new Promise((resolve, reject) => {
        answerTo(request, exchange, resolve).catch(reject)
      })
    },
    async send(message) {
      if (closing.why !== undefined) throw new ConnectionLost(closing.why, { mayHaveRun: false })
      const body = JSON.stringify(message)
      const call = access.callAside({
        method: 'POST',
        headers: postHeaders(message),
        body,
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      })
      const answer = await reached(call)
      if (answer.status >= 300) throw new HttpRefusal(answer)
    },
    listen() {
      if (revision?.era !== 'legacy') return
      void followServerStream({
        open: (given, stream, { signal, hadOne }) => {
          const headers = { ...commonHeaders(), ...given }
          // Before there was a stream, a 404 says nothing about the session.
          return reached(access.callAside({ method: 'GET', headers, stream, signal }), hadOne)
        },
        createParser: () => createMessageParser(options.limits, receiveUnrelated),
        onUnreachable: retire,
        signal: ended.signal,
      })
    },
    onClosed: closing.onClosed,
    async close() {
      const isFirst = closing.close('The connection was closed.')
      if (isFirst && sessionId !== undefined) {
        const signal = AbortSignal.timeout(DELETE_TIMEOUT_MS)
        // If this request is lost, the server expires the session by itself.
        await access.callAside({ method: 'DELETE', headers: commonHeaders(), signal }).catch(() => {})
      }
      ended.abort()
      access.close('The connection was closed.')
    },
  }
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
