import type { StopSignal } from '../../platform/async/stop-signal.js'
import type { JsonObject, JsonRpcId } from '../../sources/mcp/protocol/json-rpc.js'
import type { Era } from '../../sources/mcp/protocol/revisions.js'
import type { McpQuestion } from '../../sources/mcp/protocol/mcp-client.js'
import type { HeaderField } from '../../sources/mcp/header-fields.js'
import type { Caller } from '../server/caller.js'

/** One request that is being served, and how its sender is reached until it is answered. */
export interface Exchange {
  readonly id: JsonRpcId
  readonly era: Era
  /** Aborted when the client disconnects or cancels. */
  readonly signal: StopSignal
  /** The capabilities that the client declares. */
  readonly capabilities: JsonObject
  /** `_meta` of the request's params, or nothing. */
  readonly meta: JsonObject | undefined
  /** The header `traceparent` of its HTTP request; `_meta` takes precedence. */
  readonly traceParent?: string | undefined
  /** Sends a notification that belongs to this request: before the answer, on the same stream. */
  notify(method: string, params: JsonObject): void
  /** Asks the client during the request. Only clients with a session can be asked; others get `input_required`. */
  readonly ask?: ((question: McpQuestion, signal: AbortSignal) => Promise<JsonObject>) | undefined
}

export interface InitializeRequest {
  era: Era
  protocolVersion: string
  clientInfo: JsonObject
  capabilities: JsonObject
}

/** One client of the gateway: a session of the legacy era, a process on standard input, or a token of the modern era. */
export interface GatewaySession {
  readonly id: string
  /** The whole result of `initialize` or `server/discover`. */
  initialize(request: InitializeRequest): JsonObject
  /**
   * The result of a request, in the format of its era. Throws an McpError. Transports answer `ping`, `initialize`,
   * `server/discover` and `subscriptions/listen` themselves, the latter with `listen`.
   */
  handle(method: string, params: JsonObject, exchange: Exchange): Promise<JsonObject>
  notified(method: string, params: JsonObject): void
  /** The arguments of a tool that modern clients repeat in headers. Used for each call: it must be cheap. */
  headerFields?(tool: string): readonly HeaderField[] | Promise<readonly HeaderField[]>
  /**
   * Notifications that belong to no request: list changes, resource updates, log messages. Returns how to stop.
   * `filter` is the one of `subscriptions/listen`; absent, everything that the session subscribed to.
   */
  listen(send: (method: string, params: JsonObject) => void, filter?: JsonObject): () => void
  close(): Promise<void>
}

export interface Gateway {
  /** Opens a session without waiting for servers; only its requests do. Throws an McpError for an unknown surface. */
  open(caller: Caller, options: { era: Era; sessionId?: string | undefined }): Promise<GatewaySession>
  close(): Promise<void>
}
