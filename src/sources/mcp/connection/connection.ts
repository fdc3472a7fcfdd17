import type { Credential } from '../../../http-client/credential.js'
import type { StopSignal } from '../../../platform/async/stop-signal.js'
import type { JsonObject, JsonRpcId } from '../protocol/json-rpc.js'
import type { Era } from '../protocol/revisions.js'
import {
  describeShapeProblem,
  settingFor,
  type ShapeLimits,
  type ShapeProblem,
} from '../protocol/shape-limits.js'
import type { McpClient, McpQuestion } from '../protocol/mcp-client.js'
import type { McpServerSettings } from '../server-settings.js'

/** What a server reported about itself in the handshake. */
export interface ServerFacts {
  readonly era: Era
  readonly protocolVersion: string
  readonly info: JsonObject
  readonly capabilities: JsonObject
  readonly instructions: string | undefined
  /** `Mcp-Session-Id`; only for HTTP servers with sessions. */
  readonly sessionId: string | undefined
}

export interface RequestOptions {
  /** Aborting it cancels the request at the server. */
  signal?: StopSignal | undefined
  /** The client that answers the server's questions during this request. Absent: they are refused. */
  client?: McpClient | undefined
  /** The params of `notifications/progress` about this request, as the server sent them. */
  onProgress?: ((params: JsonObject) => void) | undefined
  /** Called with the id of the request when it is sent. */
  onSent?: ((requestId: JsonRpcId) => void) | undefined
  /** Any other notification that belongs to this request, such as `notifications/message`. */
  onNotification?: ((method: string, params: JsonObject) => void) | undefined
  /** The input schema of the called tool: fields that it marks with `x-mcp-header` go into headers. */
  inputSchema?: JsonObject | undefined
}

export interface Reply {
  /** As the server sent it. */
  readonly result: JsonObject
  /** The id that the request had on the wire. */
  readonly requestId: JsonRpcId
}

/** One live connection to one server, over any transport and revision. */
export interface McpConnection {
  readonly facts: ServerFacts
  /** The id of the server's process, where it has one. */
  readonly pid?: number | undefined
  /**
   * Resolves with the final result: questions that a server of 2026-07-28 returns in between (`input_required`) are put
   * to the client, and the answers are sent. Rejects with an McpError where the server answers with an error, with a
   * `ConnectionLost` where no answer comes, and with the signal's reason where it was aborted.
   */
  request(method: string, params: JsonObject | undefined, options?: RequestOptions): Promise<Reply>
  notify(method: string, params?: JsonObject): Promise<void>
  /** Called once, when the connection has ended for any reason; immediately where it has ended already. */
  onClosed(listener: (why: string) => void): void
  close(): Promise<void>
}

/** Thrown by requests whose answer can no longer come. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  /** Whether the server may have received the request. */
  readonly mayHaveRun: boolean

  constructor(message: string, { mayHaveRun }: { mayHaveRun: boolean }) {
    super(message)
    this.mayHaveRun = mayHaveRun
  }
}

/** The answer exceeds the limits: the request itself has run. */
export class AnswerTooLarge extends ConnectionLost {
  constructor(problem: ShapeProblem, limits: ShapeLimits) {
    const setting = settingFor(problem)
    const advice =
      setting === undefined
        ? 'ask for less at a time'
        : `ask for less at a time, or raise "${setting}" of the server`
    super(`The answer ${describeShapeProblem(problem, limits)}; ${advice}.`, { mayHaveRun: true })
  }
}

export interface ConnectOptions {
  readonly name: string
  readonly settings: McpServerSettings
  readonly clientInfo: { readonly name: string; readonly version: string }
  /** Aborted when connecting takes too long or is no longer needed. */
  readonly signal: AbortSignal
  readonly credentials?: Credential | undefined
  /** Notifications that belong to no request, such as `notifications/tools/list_changed`. */
  onNotification(method: string, params: JsonObject): void
  /** Answers questions that belong to no known request. Absent: they are refused. */
  answer?: ((question: McpQuestion, signal: AbortSignal) => Promise<JsonObject>) | undefined
  /** What the program writes to its standard error. */
  onStderr?: ((text: string) => void) | undefined
}
