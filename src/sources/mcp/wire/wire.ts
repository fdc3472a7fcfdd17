import type { JsonObject, JsonRpcMessage, JsonRpcRequest, JsonRpcResponse } from '../protocol/json-rpc.js'
import type { Era } from '../protocol/revisions.js'
import type { ShapeLimits } from '../protocol/shape-limits.js'

export interface ExchangeOptions {
  /** Aborting it gives up waiting; the wire forgets the request. */
  signal?: AbortSignal | undefined
  /** How long the server may take, where credentials are asked for before: without the time that those take. */
  attemptMs?: number | undefined
  /** Messages that came with the answer, where the wire knows that they belong to this request. */
  heard?: ((message: JsonRpcMessage) => void) | undefined
  inputSchema?: JsonObject | undefined
}

/** What carries messages to one server and back, whatever they say. */
export interface Wire {
  readonly kind: 'stdio' | 'http' | 'sse'
  /** `Mcp-Session-Id`, where the server gave one. */
  readonly sessionId: string | undefined
  readonly pid?: number | undefined
  /** Which revision the messages from now on are of; nothing while that is being found out. */
  speak(as: { era: Era; protocolVersion: string } | undefined): void
  /** Resolves with the answer, be it an error. Rejects with a ConnectionLost, or with the signal's reason. */
  exchange(request: JsonRpcRequest, options: ExchangeOptions): Promise<JsonRpcResponse>
  send(message: JsonRpcMessage): Promise<void>
  /** From now on, listens to what the server sends by itself, where that takes a stream of its own. */
  listen(): void
  /** Told once, also where it is closed already. */
  onClosed(listener: (why: string) => void): void
  close(): Promise<void>
}

export interface WireOptions {
  readonly name: string
  /** What one message of the server may bring. */
  readonly limits: ShapeLimits
  /** Messages that belong to no request that the wire knows of. */
  hear(message: JsonRpcMessage): void
}
