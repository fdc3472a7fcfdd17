import type { StopSignal } from '../../../platform/async/stop-signal.js'
import type { JsonObject, JsonRpcMessage, JsonRpcRequest, JsonRpcResponse } from '../protocol/json-rpc.js'
import type { Era } from '../protocol/revisions.js'
import type { ShapeLimits } from '../protocol/shape-limits.js'

export interface ExchangeOptions {
  /** Aborting it stops waiting; the wire forgets the request. */
  signal?: StopSignal | undefined
  /** Timeout of the server's answer, without the time for credentials. */
  attemptMs?: number | undefined
  /** Receives messages that come with the answer, where the wire knows that they belong to this request. */
  onMessage?: ((message: JsonRpcMessage) => void) | undefined
  inputSchema?: JsonObject | undefined
}

/** Transports messages to one server and back, whatever their content. */
export interface Wire {
  readonly kind: 'stdio' | 'http' | 'sse'
  /** `Mcp-Session-Id`, where the server gave one. */
  readonly sessionId: string | undefined
  readonly pid?: number | undefined
  /** The revision of all further messages; undefined while it is being negotiated. */
  setRevision(as: { era: Era; protocolVersion: string } | undefined): void
  /** Resolves with the response, which may be an error. Rejects with a ConnectionLost, or with the signal's reason. */
  exchange(request: JsonRpcRequest, options: ExchangeOptions): Promise<JsonRpcResponse>
  send(message: JsonRpcMessage): Promise<void>
  /** Starts to receive the server's own messages, where that needs a stream. */
  listen(): void
  /** Called once; immediately where it is closed already. */
  onClosed(listener: (why: string) => void): void
  close(): Promise<void>
}

export interface WireOptions {
  readonly name: string
  /** The limits of one message of the server. */
  readonly limits: ShapeLimits
  /** Receives messages that belong to no request of the wire. */
  onMessage(message: JsonRpcMessage): void
}
