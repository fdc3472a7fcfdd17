import type { IncomingHttpHeaders } from 'node:http'
import { headerNames } from '../protocol/headers.js'
import { messageKind, type JsonRpcMessage, type JsonRpcResponse } from '../protocol/json-rpc.js'
import { noteLarge } from '../protocol/large-messages.js'
import { mcpErrorCodes } from '../protocol/mcp-error.js'
import { sayShapeProblem, type ShapeProblem } from '../protocol/shape-limits.js'
import { createSseParser, type RefusedEvent } from '../protocol/sse-events.js'
import { AnswerTooLarge, ConnectionLost } from '../connection/connection.js'
import { createClosing } from './closing.js'
import { createHttpAccess } from './http-access.js'
import { HttpRefusal } from './http-refusal.js'
import { isEventStream } from './http-messages.js'
import { SEND_TIMEOUT_MS, type HttpWireOptions } from './http-wire.js'
import { createWaiting } from './waiting.js'
import type { Wire } from './wire.js'

/** Messages in the manner of 2024-11-05: one stream brings everything, and each message goes out with a POST. */
export async function createSseWire(
  options: HttpWireOptions & { readonly signal: AbortSignal },
): Promise<Wire> {
  const access = createHttpAccess(options)
  const closing = createClosing()
  const waiting = createWaiting()
  const ended = new AbortController()

  const lose = (why: string): void => {
    closing.close(why)
    waiting.failAll(new ConnectionLost(why, { mayHaveRun: true }))
    ended.abort()
    access.close(why)
  }

  const take = (text: string): void => {
    const message = parse(text)
    noteLarge(message, text.length)
    const kind = messageKind(message)
    if (kind === 'response') waiting.answer(message as JsonRpcResponse)
    else if (kind !== undefined) options.hear(message as JsonRpcMessage)
  }

  /** There is nowhere to send to before the server has said where. */
  let send: Wire['send'] = async () => {}

  /** Nobody waits for what was not read: who asked is told, and a server that asks is answered. */
  const onRefused = ({ problem, id, hasMethod }: RefusedEvent): void => {
    const { limits } = options
    const tooLarge = new AnswerTooLarge(problem, limits)
    if (hasMethod) {
      const message = `The message ${sayShapeProblem(problem, limits)}.`
      const error = { code: mcpErrorCodes.invalidRequest, message }
      if (id !== undefined) void send({ jsonrpc: '2.0', id, error }).catch(() => {})
    } else if (id !== undefined) waiting.fail(id, tooLarge)
    // Each of those who wait may wait for this one: the connection is made anew for them.
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
          lose(error instanceof Error ? error.message : String(error))
          reject(error)
        })
    })

  const stopOpening = (): void => lose('Connecting was given up.')
  options.signal.addEventListener('abort', stopOpening, { once: true })
  const endpoint = new URL(await openStream(), access.url)
  options.signal.removeEventListener('abort', stopOpening)
  if (endpoint.origin !== access.url.origin) {
    lose('closed')
    // Whatever proves who asks is for this origin only.
    throw new Error(
      `The server wants messages to go to ${JSON.stringify(endpoint.origin)}, which is not its own address.`,
    )
  }

  const post = async (message: JsonRpcMessage, signal: AbortSignal | undefined): Promise<void> => {
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

  send = (message) => post(message, AbortSignal.any([ended.signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]))

  return {
    kind: 'sse',
    sessionId: undefined,
    speak(as) {
      version = as ? { [headerNames.protocolVersion]: as.protocolVersion } : {}
    },
    async exchange(request, { signal }) {
      signal?.throwIfAborted()
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
