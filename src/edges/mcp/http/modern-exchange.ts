import type { ServerResponse } from 'node:http'
import { createStopSignal, type StopSignal } from '../../../platform/async/stop-signal.js'
import type { JsonObject, JsonRpcId } from '../../../sources/mcp/protocol/json-rpc.js'
import { mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { metaKeys } from '../../../sources/mcp/protocol/meta-keys.js'
import type { Exchange } from '../gateway.js'
import { toJson } from '../to-json.js'
import type { McpHttp, OpenPost } from './mcp-http.js'
import { sendJson } from './reply.js'

export interface ModernExchangeOptions {
  readonly id: JsonRpcId
  readonly meta: JsonObject
  /** When the request arrived, in milliseconds. */
  readonly since: number
  readonly takesStream: boolean
  /** The trace context of the HTTP request. */
  readonly traceParent: string | undefined
}

/** One modern request while it is served, and its answer. When the connection breaks, the request is canceled. */
// A class: there is one for each request, and closures for each member would cost more than the rest of the answer.
export class ModernExchange implements Exchange, OpenPost {
  readonly era = 'modern'
  readonly id: JsonRpcId
  readonly meta: JsonObject
  readonly since: number
  readonly traceParent: string | undefined
  readonly #http: McpHttp
  readonly #response: ServerResponse
  readonly #takesStream: boolean
  readonly #stop = createStopSignal()
  /** Among the open requests, until it is answered or its connection is closed. */
  #slot: number | undefined
  #isStream = false
  #isAnswered = false

  constructor(http: McpHttp, response: ServerResponse, options: ModernExchangeOptions) {
    this.id = options.id
    this.meta = options.meta
    this.since = options.since
    this.traceParent = options.traceParent
    this.#http = http
    this.#response = response
    this.#takesStream = options.takesStream
    this.#slot = http.openPosts.add(this)
    response.once('close', () => this.#onClose())
  }

  get signal(): StopSignal {
    return this.#stop.signal
  }

  get capabilities(): JsonObject {
    return this.meta[metaKeys.clientCapabilities] as JsonObject
  }

  /** Sends a message before the answer. Dropped where the client accepts no stream. */
  notify(method: string, params: JsonObject): void {
    if (this.#isAnswered) return
    this.stream()
    if (this.#isStream) writeMessage(this.#http, this.#response, { jsonrpc: '2.0', method, params })
  }

  answer(message: JsonObject): void {
    this.#isAnswered = true
    this.#leave()
    if (!this.#isStream) return sendJson(this.#response, statusOf(message), message)
    writeMessage(this.#http, this.#response, message)
    this.#response.end()
  }

  stream(): void {
    if (this.#isStream || !this.#takesStream || this.#response.destroyed) return
    this.#isStream = true
    this.#http.streams.open(this.#response)
  }

  #leave(): void {
    if (this.#slot === undefined) return
    this.#http.openPosts.remove(this.#slot)
    this.#slot = undefined
  }

  cancel(why: string): void {
    this.#stop.stop(new Error(why))
  }

  #onClose(): void {
    this.#leave()
    if (!this.#isAnswered) this.cancel('The client has closed the connection.')
  }
}

/** Writes a message as an event; a message that cannot be written is dropped. */
export function writeMessage(http: McpHttp, response: ServerResponse, message: JsonObject): void {
  const data = toJson(message)
  if (data !== undefined) http.streams.write(response, { event: 'message', data })
}

/** Most errors have the status 200; the modern revisions give these few another. */
function statusOf(message: JsonObject): number {
  const error = message['error'] as { code: number } | undefined
  switch (error?.code) {
    case mcpErrorCodes.methodNotFound:
      return 404
    case mcpErrorCodes.missingClientCapability:
    case mcpErrorCodes.unsupportedVersion:
    case mcpErrorCodes.headerMismatch:
      return 400
    default:
      return 200
  }
}
