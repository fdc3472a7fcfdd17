import {
  isJsonObject,
  messageKind,
  type JsonObject,
  type JsonRpcId,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
} from '../../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { metaKeys } from '../../../sources/mcp/protocol/meta-keys.js'
import { nextTurn } from '../../../platform/async/next-turn.js'
import { agreedRevision, type Era } from '../../../sources/mcp/protocol/revisions.js'
import type { Exchange, Gateway, GatewaySession } from '../gateway.js'
import type { Caller } from '../../server/caller.js'
import { toWireError } from '../to-wire-error.js'
import { createClientAsk } from './client-ask.js'
import { readEnvelope } from './read-envelope.js'

export interface StdioPeer {
  /** One line of the client. */
  take(line: string): void
  /** Tells the client that something it sent cannot be read. */
  refuse(message: string, about?: { code?: number; id?: JsonRpcId | undefined }): void
  /** Ends everything of this client, after what still runs has had its time. */
  close(graceMs: number): Promise<void>
}

type Send = (message: JsonRpcMessage | JsonRpcResponse[]) => void

/** How many requests of one client may be under way. */
const MAX_OPEN = 1000

export interface StdioContext {
  readonly gateway: Gateway
  readonly caller: Caller
  /** Hears of errors that are not the client's fault. */
  tell(problem: unknown): void
}

/** The protocol over one pipe: who opens with `initialize` has a session, others say everything in each request. */
export function createStdioPeer({ gateway, caller, tell }: StdioContext, send: Send): StdioPeer {
  const sessions = new Map<Era, Promise<GatewaySession>>()
  const open = new Map<JsonRpcId, AbortController>()
  const answering = new Set<Promise<unknown>>()
  const asks = createClientAsk(send)
  const over = new AbortController()
  let capabilities: JsonObject = {}
  let revision: string | undefined
  /** Resolves when the answer to `initialize` has gone out; what came right behind it waits for that. */
  let greeted: Promise<void> | undefined
  let stopListening: (() => void) | undefined

  const sessionOf = (era: Era): Promise<GatewaySession> => {
    const known = sessions.get(era)
    if (known) return known
    const opened = gateway.open(caller, { era })
    sessions.set(era, opened)
    opened.catch(() => sessions.delete(era))
    return opened
  }

  async function initialize(params: JsonObject): Promise<JsonObject> {
    const session = await sessionOf('legacy')
    if (isJsonObject(params['capabilities'])) ({ capabilities } = params as { capabilities: JsonObject })
    const { clientInfo } = params
    const protocolVersion = agreedRevision(params['protocolVersion'])
    const result = session.initialize({
      era: 'legacy',
      protocolVersion,
      clientInfo: isJsonObject(clientInfo) ? clientInfo : {},
      capabilities,
    })
    revision = protocolVersion
    return result
  }

  async function resultOf(request: JsonRpcRequest, signal: AbortSignal): Promise<JsonObject | undefined> {
    const { id, method, params = {} } = request
    const notify = (name: string, told: JsonObject): void =>
      send({ jsonrpc: '2.0', method: name, params: told } satisfies JsonRpcNotification)
    const envelope = readEnvelope(method, params)
    if (!envelope) {
      if (method === 'initialize') {
        const hello = initialize(params)
        greeted = hello.then(nextTurn, () => {})
        return hello
      }
      if (method === 'ping') return {}
      if (revision === undefined) await greeted
      if (revision === undefined)
        throw new McpError(
          mcpErrorCodes.invalidRequest,
          'The first request must be initialize or server/discover.',
        )
      const session = await sessionOf('legacy')
      const { _meta } = params
      const meta = isJsonObject(_meta) ? _meta : undefined
      const exchange: Exchange = { id, era: 'legacy', signal, capabilities, meta, notify, ask: asks.ask }
      return session.handle(method, params, exchange)
    }
    const session = await sessionOf('modern')
    if (method === 'server/discover') return session.initialize({ era: 'modern', ...envelope })
    if (method === 'subscriptions/listen') return listen(session, { id, params, signal })
    const { meta } = envelope
    return session.handle(method, params, {
      id,
      era: 'modern',
      signal,
      capabilities: envelope.capabilities,
      meta,
      notify,
    })
  }

  /** Stays open until the client cancels it or is gone. */
  function listen(
    session: GatewaySession,
    { id, params, signal }: { id: JsonRpcId; params: JsonObject; signal: AbortSignal },
  ): Promise<JsonObject | undefined> {
    const { notifications: filter } = params
    if (!isJsonObject(filter))
      throw new McpError(mcpErrorCodes.invalidParams, '"notifications" must say what is listened for.')
    const stamped = (told: JsonObject): JsonObject => ({
      ...told,
      _meta: { ...(told['_meta'] as JsonObject | undefined), [metaKeys.subscriptionId]: id },
    })
    const tell = (method: string, told: JsonObject): void =>
      send({ jsonrpc: '2.0', method, params: stamped(told) })
    // Of tasks nothing is told: their clients look after them.
    const { taskIds: _, ...honoured } = filter
    tell('notifications/subscriptions/acknowledged', { notifications: honoured })
    const stop = session.listen(tell, filter)
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        stop()
        resolve(
          over.signal.aborted
            ? { resultType: 'complete', _meta: { [metaKeys.subscriptionId]: id } }
            : undefined,
        )
      })
    })
  }

  async function answer(request: JsonRpcRequest): Promise<JsonRpcResponse | undefined> {
    const { id } = request
    try {
      if (open.has(id))
        throw new McpError(mcpErrorCodes.invalidRequest, `A request with the id ${id} is under way.`)
      if (open.size >= MAX_OPEN)
        throw new McpError(mcpErrorCodes.internal, 'Too many requests are under way; wait for some of them.')
    } catch (error) {
      return { jsonrpc: '2.0', id, error: toWireError(error, tell) }
    }
    const controller = new AbortController()
    open.set(id, controller)
    try {
      const result = await resultOf(request, controller.signal)
      // A request that was canceled has no answer.
      if (result === undefined || (controller.signal.aborted && !over.signal.aborted)) return undefined
      return { jsonrpc: '2.0', id, result }
    } catch (error) {
      return controller.signal.aborted ? undefined : { jsonrpc: '2.0', id, error: toWireError(error, tell) }
    } finally {
      open.delete(id)
    }
  }

  function notified({ method, params = {} }: JsonRpcNotification): void {
    switch (method) {
      case 'notifications/cancelled':
        open.get(params['requestId'] as JsonRpcId)?.abort()
        return
      case 'notifications/initialized':
        if (!greeted || stopListening) return
        stopListening = () => {}
        greeted.then(listenForSession).catch(tell)
        return
      default:
        for (const session of sessions.values())
          session.then(
            (found) => found.notified(method, params),
            () => {},
          )
    }
  }

  async function listenForSession(): Promise<void> {
    if (revision === undefined) return void (stopListening = undefined)
    const session = await sessionOf('legacy')
    if (!over.signal.aborted)
      stopListening = session.listen((name, told) => send({ jsonrpc: '2.0', method: name, params: told }))
  }

  /** What has to be sent back, if anything. */
  async function takeOne(message: unknown): Promise<JsonRpcResponse | undefined> {
    switch (messageKind(message)) {
      case 'request':
        return answer(message as JsonRpcRequest)
      case 'notification':
        return void notified(message as JsonRpcNotification)
      case 'response':
        return void asks.answered(message as JsonRpcResponse)
      case undefined:
        return unreadable(mcpErrorCodes.invalidRequest, 'This is no message of JSON-RPC 2.0.')
    }
  }

  async function takeBatch(messages: readonly unknown[]): Promise<JsonRpcResponse[] | JsonRpcResponse> {
    if (revision === undefined) await greeted
    if (revision !== '2025-03-26')
      return unreadable(mcpErrorCodes.invalidRequest, 'Batches belong to revision 2025-03-26 only.')
    const answers = await Promise.all(messages.map(takeOne))
    return answers.filter((each) => each !== undefined)
  }

  function track(work: Promise<unknown>): void {
    const done = work.catch(tell).finally(() => answering.delete(done))
    answering.add(done)
  }

  return {
    take(line) {
      if (line.trim() === '' || over.signal.aborted) return
      let message: unknown
      try {
        message = JSON.parse(line)
      } catch {
        return send(unreadable(mcpErrorCodes.parseError, 'This is no JSON.'))
      }
      if (Array.isArray(message) && message.length > 0)
        track(
          takeBatch(message).then((given) =>
            'length' in given && given.length === 0 ? undefined : send(given),
          ),
        )
      else track(takeOne(message).then((given) => given && send(given)))
    },
    refuse: (message, { code = mcpErrorCodes.invalidRequest, id } = {}) =>
      send({ jsonrpc: '2.0', id: id ?? null, error: { code, message } }),
    async close(graceMs) {
      if (graceMs > 0) await inTime(Promise.all(answering), graceMs)
      over.abort()
      asks.close()
      stopListening?.()
      for (const controller of open.values()) controller.abort()
      await inTime(Promise.all(answering), 100)
      for (const session of sessions.values()) await session.then((found) => found.close()).catch(() => {})
    },
  }
}

function unreadable(code: number, message: string): JsonRpcResponse {
  return { jsonrpc: '2.0', id: null, error: { code, message } }
}

async function inTime(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
