import type { JsonObject, JsonRpcId } from '../../sources/mcp/protocol/json-rpc.js'
import type { Era } from '../../sources/mcp/protocol/revisions.js'
import type { McpQuestion } from '../../sources/mcp/protocol/mcp-client.js'
import type { HeaderField } from '../../sources/mcp/header-fields.js'
import type { Caller } from '../server/caller.js'

/** One request on its way, and how its sender is reached meanwhile. */
export interface Exchange {
  readonly id: JsonRpcId
  readonly era: Era
  /** Aborted when the client is gone or has canceled. */
  readonly signal: AbortSignal
  /** What this client can do. */
  readonly capabilities: JsonObject
  /** `_meta` of the request's params, or nothing. */
  readonly meta: JsonObject | undefined
  /** A notification that belongs to this request: it goes out before the answer, on the same stream. */
  notify(method: string, params: JsonObject): void
  /** Asks the client in the middle of the request. Only clients with a session can be; others get `input_required`. */
  readonly ask?: ((question: McpQuestion, signal: AbortSignal) => Promise<JsonObject>) | undefined
}

export interface InitializeRequest {
  era: Era
  protocolVersion: string
  clientInfo: JsonObject
  capabilities: JsonObject
}

/** One client's connection at the counter: a session of the legacy era, a process on standard input, or a modern token. */
export interface GatewaySession {
  readonly id: string
  /** The whole result of `initialize` or `server/discover`: what this gateway can do. */
  initialize(request: InitializeRequest): JsonObject
  /**
   * The result of a request, complete as its era spells it. Throws an McpError. Transports answer `ping`, `initialize`,
   * `server/discover` and `subscriptions/listen` themselves, the latter with `listen`.
   */
  handle(method: string, params: JsonObject, exchange: Exchange): Promise<JsonObject>
  notified(method: string, params: JsonObject): void
  /** Which arguments of a tool modern clients repeat in headers. Asked for each call: it must be cheap. */
  headerFields?(tool: string): readonly HeaderField[] | Promise<readonly HeaderField[]>
  /**
   * Notifications that belong to no request: list changes, resource updates, log messages. What it returns ends it.
   * `filter` is the one of `subscriptions/listen`; absent, everything that the session subscribed to.
   */
  listen(send: (method: string, params: JsonObject) => void, filter?: JsonObject): () => void
  close(): Promise<void>
}

export interface Gateway {
  /** A new connection at the counter, at once: only its requests wait for servers. Throws an McpError where there is no such surface. */
  open(caller: Caller, options: { era: Era; sessionId?: string | undefined }): Promise<GatewaySession>
  close(): Promise<void>
}
