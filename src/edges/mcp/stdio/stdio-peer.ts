import { withTimeLimit } from '../../../platform/async/with-time-limit.js'
import { isObject } from '../../../platform/json/is-object.js'
import {
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
import { createOpenItems, createOpenItemsById } from '../../../platform/async/open-items.js'
import {
  createStopSignal,
  type StopController,
  type StopSignal,
} from '../../../platform/async/stop-signal.js'
import { agreedRevision, type Era, eraOf, modernRevisions } from '../../../sources/mcp/protocol/revisions.js'
import type { Exchange, Gateway, GatewaySession } from '../gateway.js'
import type { Caller } from '../../server/caller.js'
import { toWireError } from '../to-wire-error.js'
import { tooManyInFlight } from '../too-many-in-flight.js'
import { createClientAsk } from './client-ask.js'

export interface StdioPeer {
  /** Handles one line from the client. */
  take(line: string): void
  /** Answers with an error that something cannot be read. */
  refuse(message: string, about?: { code?: number; id?: JsonRpcId | undefined }): void
  /** Ends the client's sessions, after open requests have had `graceMs` to finish. */
  close(graceMs: number): Promise<void>
}

type Send = (message: JsonRpcMessage | JsonRpcResponse[]) => void

/** How many requests of one client may be open. */
const MAX_OPEN = 1000

export interface StdioContext {
  readonly gateway: Gateway
  readonly caller: Caller
  /** Called for errors that are not the client's fault. */
  report(problem: unknown): void
}

/** The protocol over one pipe. After `initialize` a client has a session; others identify themselves in each request. */
export function createStdioPeer({ gateway, caller, report }: StdioContext, send: Send): StdioPeer {
  const sessions = new Map<Era, Promise<GatewaySession>>()
  const open = createOpenItemsById<StopController>()
  const answering = createOpenItems<Promise<unknown>>()
  const asks = createClientAsk(send)
  const over = new AbortController()
  let capabilities: JsonObject = {}
  let revision: string | undefined
  /** Resolves when `initialize` is answered; messages right after it wait for that. */
  let initialized: Promise<void> | undefined
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
    if (isObject(params['capabilities'])) ({ capabilities } = params as { capabilities: JsonObject })
    const { clientInfo } = params
    const protocolVersion = agreedRevision(params['protocolVersion'])
    const result = session.initialize({
      era: 'legacy',
      protocolVersion,
      clientInfo: isObject(clientInfo) ? clientInfo : {},
      capabilities,
    })
    revision = protocolVersion
    return result
  }

  async function resultOf(request: JsonRpcRequest, signal: StopSignal): Promise<JsonObject | undefined> {
    const { id, method, params = {} } = request
    const notify = (name: string, body: JsonObject): void =>
      send({ jsonrpc: '2.0', method: name, params: body } satisfies JsonRpcNotification)
    const envelope = readEnvelope(method, params)
    if (!envelope) {
      if (method === 'initialize') {
        const result = initialize(params)
        initialized = result.then(nextTurn, () => {})
        return result
      }
      if (method === 'ping') return {}
      if (revision === undefined) await initialized
      if (revision === undefined)
        throw new McpError(
          mcpErrorCodes.invalidRequest,
          'The first request must be initialize or server/discover.',
        )
      const session = await sessionOf('legacy')
      const { _meta } = params
      const meta = isObject(_meta) ? _meta : undefined
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

  /** Stays open until the client cancels it or disconnects. */
  function listen(
    session: GatewaySession,
    { id, params, signal }: { id: JsonRpcId; params: JsonObject; signal: StopSignal },
  ): Promise<JsonObject | undefined> {
    const { notifications: filter } = params
    if (!isObject(filter))
      throw new McpError(mcpErrorCodes.invalidParams, '"notifications" must say what is listened for.')
    const stamped = (body: JsonObject): JsonObject => ({
      ...body,
      _meta: { ...(body['_meta'] as JsonObject | undefined), [metaKeys.subscriptionId]: id },
    })
    const notify = (method: string, body: JsonObject): void =>
      send({ jsonrpc: '2.0', method, params: stamped(body) })
    // There are no notifications of tasks: clients poll them.
    const { taskIds: _, ...honoured } = filter
    notify('notifications/subscriptions/acknowledged', { notifications: honoured })
    const stop = session.listen(notify, filter)
    return new Promise((resolve) => {
      const handleEvent = (): void => {
        stop()
        resolve(
          over.signal.aborted
            ? { resultType: 'complete', _meta: { [metaKeys.subscriptionId]: id } }
            : undefined,
        )
      }
      signal.addEventListener('abort', { handleEvent })
    })
  }

  async function answer(request: JsonRpcRequest): Promise<JsonRpcResponse | undefined> {
    const { id } = request
    try {
      if (open.get(id))
        throw new McpError(mcpErrorCodes.invalidRequest, `A request with the id ${id} is under way.`)
      if (open.size >= MAX_OPEN) throw tooManyInFlight()
    } catch (error) {
      return { jsonrpc: '2.0', id, error: toWireError(error, report) }
    }
    const controller = createStopSignal()
    open.set(id, controller)
    try {
      const result = await resultOf(request, controller.signal)
      // A canceled request gets no answer.
      if (result === undefined || (controller.signal.aborted && !over.signal.aborted)) return undefined
      return { jsonrpc: '2.0', id, result }
    } catch (error) {
      return controller.signal.aborted ? undefined : { jsonrpc: '2.0', id, error: toWireError(error, report) }
    } finally {
      open.delete(id)
    }
  }

  function notified({ method, params = {} }: JsonRpcNotification): void {
    switch (method) {
      case 'notifications/cancelled':
        open.get(params['requestId'])?.stop(new Error('The client has canceled the request.'))
        return
      case 'notifications/initialized':
        if (!initialized || stopListening) return
        stopListening = () => {}
        initialized.then(listenForSession).catch(report)
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
      stopListening = session.listen((name, body) => send({ jsonrpc: '2.0', method: name, params: body }))
  }

  /** Handles one message. Resolves with the response, if there is one. */
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
    if (revision === undefined) await initialized
    if (revision !== '2025-03-26')
      return unreadable(mcpErrorCodes.invalidRequest, 'Batches belong to revision 2025-03-26 only.')
    const answers = await Promise.all(messages.map(takeOne))
    return answers.filter((each) => each !== undefined)
  }

  function track(work: Promise<unknown>): void {
    const slot = answering.add(work)
    const end = (): void => void answering.remove(slot)
    work.then(end, (problem: unknown) => {
      report(problem)
      end()
    })
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
      if (graceMs > 0) await withTimeLimit(Promise.allSettled(answering.all()), graceMs)
      over.abort()
      asks.close()
      stopListening?.()
      for (const controller of open.all()) controller.stop(new Error('The gateway is closing.'))
      await withTimeLimit(Promise.allSettled(answering.all()), 100)
      for (const session of sessions.values()) await session.then((found) => found.close()).catch(() => {})
    },
  }
}

function unreadable(code: number, message: string): JsonRpcResponse {
  return { jsonrpc: '2.0', id: null, error: { code, message } }
}

/** What a request without a session states about its sender. */
interface Envelope {
  readonly protocolVersion: string
  readonly clientInfo: JsonObject
  readonly capabilities: JsonObject
  readonly meta: JsonObject
}

/** Nothing for a request of a session. Throws an McpError where the `_meta` of a request without one is incomplete. */
function readEnvelope(method: string, params: JsonObject): Envelope | undefined {
  const { _meta: meta } = params
  const version = isObject(meta) ? meta[metaKeys.protocolVersion] : undefined
  if (version === undefined && method !== 'server/discover') return undefined
  if (!isObject(meta) || typeof version !== 'string')
    throw invalid(`"_meta" must have "${metaKeys.protocolVersion}".`)
  if (eraOf(version) !== 'modern')
    throw new McpError(mcpErrorCodes.unsupportedVersion, `Unsupported protocol version: ${version}`, {
      supported: [...modernRevisions],
      requested: version,
    })
  const capabilities = meta[metaKeys.clientCapabilities]
  if (!isObject(capabilities)) throw invalid(`"_meta" must have "${metaKeys.clientCapabilities}".`)
  const info = meta[metaKeys.clientInfo]
  return { protocolVersion: version, clientInfo: isObject(info) ? info : {}, capabilities, meta }
}

function invalid(message: string): McpError {
  return new McpError(mcpErrorCodes.invalidParams, message)
}
