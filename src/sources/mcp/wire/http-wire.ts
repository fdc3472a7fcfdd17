import type { Credential } from '../../../credentials/credential.js'
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

/** How long a notification or an answer of ours may take to be taken. */
export const SEND_TIMEOUT_MS = 30_000
const DELETE_TIMEOUT_MS = 2000

/** Messages over streamable HTTP: a POST for each, and a stream for what the server says by itself. */
export function createHttpWire(options: HttpWireOptions): Wire {
  const access = createHttpAccess(options)
  const closing = createClosing()
  const ended = new AbortController()
  /** Requests whose answer comes as a stream: it may also come over another one. */
  const streamed = new Map<unknown, (response: JsonRpcResponse) => void>()
  let sessionId: string | undefined
  let spoken: { era: Era; protocolVersion: string } | undefined

  const lose = (why: string): void => {
    if (!closing.close(why)) return
    ended.abort()
    access.close(why)
  }

  /** One that could not be connected to says nothing about those that are connected. */
  const retire = (why: string): void => {
    if (!closing.close(why)) return
    ended.abort()
    access.retire(why)
  }

  const commonHeaders = (): Record<string, string> => {
    const headers: Record<string, string> = {}
    if (spoken) headers[headerNames.protocolVersion] = spoken.protocolVersion
    if (sessionId !== undefined && spoken?.era === 'legacy') headers[headerNames.sessionId] = sessionId
    return headers
  }

  const postHeaders = (message: JsonRpcMessage, inputSchema?: JsonObject): Record<string, string> => {
    const headers = commonHeaders()
    headers['content-type'] = 'application/json'
    headers['accept'] = 'application/json, text/event-stream'
    if (spoken?.era !== 'modern' || !('method' in message)) return headers
    headers[headerNames.method] = message.method
    const name = namedBy(message.method, message.params)
    if (name !== undefined) headers[headerNames.name] = encodeHeaderValue(name)
    if (inputSchema) Object.assign(headers, paramHeaders(inputSchema, message.params?.['arguments']))
    return headers
  }

  /** A connection that broke may be one of many, or the end of the server: nobody shall take it for well then. */
  const loseWhereGone = async (): Promise<void> => {
    if (!(await isListening(access.url))) lose('The server is gone.')
  }

  const reached = async (call: Promise<HttpAnswer>, isNews = true): Promise<HttpAnswer> => {
    try {
      const answer = await call
      const hasSession = sessionId !== undefined && spoken?.era === 'legacy'
      if (answer.status !== 404 || !hasSession || !isNews) return answer
    } catch (error) {
      if (error instanceof Unreachable) retire(error.message)
      else if (error instanceof ConnectionLost) void loseWhereGone()
      throw error
    }
    lose('The server has forgotten the session.')
    throw new ConnectionLost('The server has forgotten the session.', { mayHaveRun: false })
  }

  const hearUnrelated = (message: JsonRpcMessage): void => {
    if (messageKind(message) === 'response')
      streamed.get((message as JsonRpcResponse).id)?.(message as JsonRpcResponse)
    else options.hear(message)
  }

  const answerTo = exchangeOverHttp({
    limits: options.limits,
    post: (request, { signal, attemptMs, inputSchema }, stream) => {
      const headers = postHeaders(request, inputSchema)
      const body = JSON.stringify(request)
      return reached(access.call({ method: 'POST', headers, body, signal, attemptMs, stream }))
    },
    takeUp: (lastEventId, signal, stream) => {
      const resuming = { accept: 'text/event-stream', [headerNames.lastEventId]: lastEventId }
      const headers = { ...commonHeaders(), ...resuming }
      return access.callAside({ method: 'GET', headers, signal, stream })
    },
    canTakeUp: () => spoken?.era === 'legacy' && closing.why === undefined,
    onHead: (request, headers) => {
      if (request.method === 'initialize') sessionId = textOf(headers[headerNames.sessionId])
    },
    hearUnrelated,
    streamed,
  })

  return {
    kind: 'http',
    get sessionId() {
      return sessionId
    },
    speak(as) {
      spoken = as
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
      if (spoken?.era !== 'legacy') return
      void followServerStream({
        open: (given, stream, { signal, hadOne }) => {
          const headers = { ...commonHeaders(), ...given }
          // Where there never was a stream, that it is not found says nothing about the session.
          return reached(access.callAside({ method: 'GET', headers, stream, signal }), hadOne)
        },
        createParser: () => createMessageParser(options.limits, hearUnrelated),
        onUnreachable: retire,
        signal: ended.signal,
      })
    },
    onClosed: closing.onClosed,
    async close() {
      const isFirst = closing.close('The connection was closed.')
      if (isFirst && sessionId !== undefined) {
        const signal = AbortSignal.timeout(DELETE_TIMEOUT_MS)
        // The server forgets it by itself where this does not arrive.
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
