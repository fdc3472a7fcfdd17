import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { toAbortSignal, type StopSignal } from '../../../platform/async/stop-signal.js'
import {
  messageKind,
  type JsonRpcMessage,
  type JsonRpcRequest,
  type JsonRpcResponse,
} from '../protocol/json-rpc.js'
import type { ShapeLimits } from '../protocol/shape-limits.js'
import type { SseParser } from '../protocol/sse-events.js'
import { ConnectionLost } from '../connection/connection.js'
import type { HttpAnswer, HttpCall } from './http-call.js'
import { createMessageParser, isEventStream, messagesOf } from './http-messages.js'
import { retryDelay } from './retry-delay.js'
import type { ExchangeOptions } from './wire.js'

/** How long a stream may stay open after its answer. */
const LINGER_MS = 200
const DEFAULT_RETRY_MS = 1000
const MAX_RESUMES_WITHOUT_NEWS = 5

type Stream = NonNullable<HttpCall['stream']>

export interface HttpExchangeHost {
  readonly limits: ShapeLimits
  post(request: JsonRpcRequest, options: ExchangeOptions, stream: Stream): Promise<HttpAnswer>
  /** Resumes a stream after that event. */
  resume(lastEventId: string, signal: StopSignal | undefined, stream: Stream): Promise<HttpAnswer>
  canResume(): boolean
  onHead(request: JsonRpcRequest, headers: IncomingHttpHeaders): void
  receiveUnrelated(message: JsonRpcMessage): void
  /** Requests whose answer is streamed: it may also arrive over another stream. */
  readonly streamed: Map<unknown, (response: JsonRpcResponse) => void>
}

/** Posts a request and reads its answer: one message, or a stream that is resumed when it breaks. */
export function exchangeOverHttp(host: HttpExchangeHost) {
  return async (
    request: JsonRpcRequest,
    options: ExchangeOptions,
    resolve: (response: JsonRpcResponse) => void,
  ): Promise<void> => {
    const { signal, onMessage } = options
    let isAnswered = false
    let linger: NodeJS.Timeout | undefined
    let stopStream: (() => void) | undefined
    let parser: SseParser | undefined

    const take = (message: JsonRpcMessage): void => {
      if (messageKind(message) !== 'response') return void onMessage?.(message)
      const response = message as JsonRpcResponse
      if (response.id !== request.id && !('error' in response && (response.id ?? null) === null))
        return host.receiveUnrelated(message)
      isAnswered = true
      if (stopStream) linger ??= setTimeout(stopStream, LINGER_MS).unref()
      resolve(response)
    }

    const stream: Stream = (status, headers, stop) => {
      if (status >= 300) return undefined
      host.onHead(request, headers)
      if (!isEventStream(headers)) return undefined
      host.streamed.set(request.id, take)
      stopStream = stop
      parser = createMessageParser(host.limits, take)
      return parser.push
    }

    const resume = async (): Promise<void> => {
      let lastEventId = parser?.lastEventId
      let retryMs = parser?.retryMs
      for (let tries = 0; tries < MAX_RESUMES_WITHOUT_NEWS && lastEventId !== undefined; tries++) {
        await sleep(retryDelay(retryMs ?? DEFAULT_RETRY_MS), undefined, {
          signal: signal && toAbortSignal(signal),
        })
        if (isAnswered || !host.canResume()) return
        const answer = await host.resume(lastEventId, signal, stream).catch(ignoreBreak)
        if (isAnswered || (answer && (answer.status >= 300 || !isEventStream(answer.headers)))) return
        if (parser?.lastEventId !== undefined && parser.lastEventId !== lastEventId) tries = -1
        lastEventId = parser?.lastEventId ?? lastEventId
        retryMs = parser?.retryMs ?? retryMs
      }
    }

    try {
      // A broken stream may be resumed where the server numbers its events.
      const answer = await host.post(request, options, stream).catch((error: unknown) => {
        if (parser?.lastEventId === undefined || signal?.aborted || !host.canResume()) throw error
        return undefined
      })
      if (answer && parser === undefined) for (const message of messagesOf(answer)) take(message)
      if (!isAnswered && parser !== undefined && host.canResume()) await resume()
      if (!isAnswered)
        throw new ConnectionLost('The server ended its answer without a result.', { mayHaveRun: true })
    } catch (error) {
      throw signal?.aborted ? signal.reason : error
    } finally {
      clearTimeout(linger)
      host.streamed.delete(request.id)
    }
  }
}

function ignoreBreak(error: unknown): undefined {
  if (!(error instanceof ConnectionLost)) throw error
}
