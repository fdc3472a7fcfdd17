import { throwIfStopped, type StopSignal } from '../../../platform/async/stop-signal.js'
import type { IncomingHttpHeaders } from 'node:http'
import { errorMessage } from '../../../platform/text/error-message.js'
import { headerNames } from '../protocol/headers.js'
import { messageKind, type JsonRpcMessage, type JsonRpcResponse } from '../protocol/json-rpc.js'
import { noteLarge } from '../protocol/large-messages.js'
import { mcpErrorCodes } from '../protocol/mcp-error.js'
import { describeShapeProblem, type ShapeProblem } from '../protocol/shape-limits.js'
import { createSseParser, type RefusedEvent } from '../protocol/sse-events.js'
import { AnswerTooLarge, ConnectionLost } from '../connection/connection.js'
import { createClosing } from './closing.js'
import { createHttpAccess } from './http-access.js'
import { HttpRefusal } from './http-refusal.js'
import { isEventStream } from './http-messages.js'
import { SEND_TIMEOUT_MS, type HttpWireOptions } from './http-wire.js'
import { createPendingRequests } from './pending-requests.js'
import type { Wire } from './wire.js'
import { parseJson } from '../../../platform/json/parse-json.js'
import { abortAfter } from '../../../platform/async/abort-after.js'

/**
 * Messages over the SSE transport of 2024-11-05: one stream brings everything, and each message is sent with a POST.
 */
export async function createSseWire(
  options: HttpWireOptions & { readonly signal: AbortSignal },
): Promise<Wire> {
  const access = createHttpAccess(options)
  const closing = createClosing()
  const waiting = createPendingRequests()
  const ended = new AbortController()

  const lose = (why: string): void => {
    closing.close(why)
    waiting.failAll(new ConnectionLost(why, { mayHaveRun: true }))
    ended.abort()
    access.close(why)
  }

  const take = (text: string): void => {
    const message = parseJson(text)
    noteLarge(message, text.length)
    const kind = messageKind(message)
    if (kind === 'response') waiting.answer(message as JsonRpcResponse)
    else if (kind !== undefined) options.onMessage(message as JsonRpcMessage)
  }

  /** Messages cannot be sent before the server has announced its endpoint. */
  let send: Wire['send'] = async () => {}

  /** A message that was not parsed fails its request; a request of the server gets an error. */
  const onRefused = ({ problem, id, hasMethod }: RefusedEvent): void => {
    const { limits } = options
    const tooLarge = new AnswerTooLarge(problem, limits)
    if (hasMethod) {
      const message = `The message ${describeShapeProblem(problem, limits)}.`
      const error = { code: mcpErrorCodes.invalidRequest, message }
      if (id !== undefined) void send({ jsonrpc: '2.0', id, error }).catch(() => {})
    } else if (id !== undefined) waiting.fail(id, tooLarge)
    // Any pending request may wait for this answer: the connection is closed and reopened.
    else
      lose(
        `A message of the server could not be read, and it does not say whose answer it is. ${tooLarge.message}`,
      )
  }

  const openStream = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const { limits } = options
      const refuse = (problem: ShapeProblem): Error => new AnswerTooLarge(problem, limits)
      const parser = createSseParser({ ...limits, refuse, onRefused }, ({ event, data }) => {
        if (event === 'endpoint') resolve(data)
        else if (event === 'message') take(data)
      })
      const stream = (status: number, headers: IncomingHttpHeaders) =>
        status === 200 && isEventStream(headers) ? parser.push : undefined
      access
        .callAside({
          method: 'GET',
          headers: { accept: 'text/event-stream' },
          stream,
          signal: ended.signal,
        })
        .then((answer) => {
          if (answer.status !== 200 || !isEventStream(answer.headers)) throw new HttpRefusal(answer)
          throw new ConnectionLost('The server ended its stream.', { mayHaveRun: true })
        })
        .catch((error: unknown) => {
          lose(errorMessage(error))
          reject(error)
        })
    })

  const stopOpening = (): void => lose('Connecting was given up.')
  options.signal.addEventListener('abort', stopOpening, { once: true })
  const endpoint = new URL(await openStream(), access.url)
  options.signal.removeEventListener('abort', stopOpening)
  if (endpoint.origin !== access.url.origin) {
    lose('closed')
    // The credentials are for this origin only.
    throw new Error(
      `The server wants messages to go to ${JSON.stringify(endpoint.origin)}, which is not its own address.`,
    )
  }

  const post = async (message: JsonRpcMessage, signal: StopSignal | undefined): Promise<void> => {
    if (closing.why !== undefined) throw new ConnectionLost(closing.why, { mayHaveRun: false })
    const answer = await access.call({
      method: 'POST',
      path: endpoint.pathname + endpoint.search,
      headers: { ...version, 'content-type': 'application/json' },
      body: JSON.stringify(message),
      signal,
    })
    if (answer.status === 404) {
      lose('The server has forgotten the session.')
      throw new ConnectionLost('The server has forgotten the session.', { mayHaveRun: false })
    }
    if (answer.status >= 300) throw new HttpRefusal(answer)
  }
  let version: Record<string, string> = {}

  send = (message) => post(message, abortAfter(SEND_TIMEOUT_MS, ended.signal))

  return {
    kind: 'sse',
    sessionId: undefined,
    setRevision(as) {
      version = as ? { [headerNames.protocolVersion]: as.protocolVersion } : {}
    },
    async exchange(request, { signal }) {
      throwIfStopped(signal)
      const answer = waiting.wait(request.id, signal)
      post(request, signal).catch((error: unknown) => waiting.fail(request.id, error))
      return answer
    },
    send,
    listen() {},
    onClosed: closing.onClosed,
    async close() {
      lose('The connection was closed.')
    },
  }
}
