import type { Credential } from '../../../credentials/credential.js'
import type { JsonObject, JsonRpcId } from '../protocol/json-rpc.js'
import type { Era } from '../protocol/revisions.js'
import { sayShapeProblem, settingFor, type ShapeLimits, type ShapeProblem } from '../protocol/shape-limits.js'
import type { McpClient, McpQuestion } from '../protocol/mcp-client.js'
import type { McpServerSettings } from '../server-settings.js'

/** What a server said of itself when it was connected to. */
export interface ServerFacts {
  readonly era: Era
  readonly protocolVersion: string
  readonly info: JsonObject
  readonly capabilities: JsonObject
  readonly instructions: string | undefined
  /** `Mcp-Session-Id`; only of servers that keep sessions over HTTP. */
  readonly sessionId: string | undefined
}

export interface RequestOptions {
  /** Aborting it tells the server that nobody waits any more. */
  signal?: AbortSignal | undefined
  /** Who answers what the server asks while it works on this. Absent: it is refused. */
  client?: McpClient | undefined
  /** The params of `notifications/progress` about this request, as the server sent them. */
  onProgress?: ((params: JsonObject) => void) | undefined
  /** The id that the request goes out with. */
  onSent?: ((requestId: JsonRpcId) => void) | undefined
  /** Any other notification that belongs to this request, such as `notifications/message`. */
  onNotification?: ((method: string, params: JsonObject) => void) | undefined
  /** The input schema of the tool that is called: fields that it marks with `x-mcp-header` go into headers. */
  inputSchema?: JsonObject | undefined
}

export interface Reply {
  /** As the server sent it. */
  readonly result: JsonObject
  /** The id that the request had on the wire. */
  readonly requestId: JsonRpcId
}

/** One live connection to one server, whatever its transport and its revision. */
export interface McpConnection {
  readonly facts: ServerFacts
  /** The process behind it, where it is one. */
  readonly pid?: number | undefined
  /**
   * Resolves with the final result: what a server of 2026-07-28 asks for in between (`input_required`) is asked of the
   * client and sent after. Rejects with an McpError where the server answers with an error, with a `ConnectionLost`
   * where there is no answer, and with the signal's reason where it was aborted.
   */
  request(method: string, params: JsonObject | undefined, options?: RequestOptions): Promise<Reply>
  notify(method: string, params?: JsonObject): Promise<void>
  /** Told once, when the connection is gone for whatever reason; at once where it is gone already. */
  onClosed(listener: (why: string) => void): void
  close(): Promise<void>
}

/** Thrown by requests whose answer can no longer come. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  /** Whether the server may have got the request. */
  readonly mayHaveRun: boolean

  constructor(message: string, { mayHaveRun }: { mayHaveRun: boolean }) {
    super(message)
    this.mayHaveRun = mayHaveRun
  }
}

/** The server answered with more than may be read: what it was asked for has run. */
export class AnswerTooLarge extends ConnectionLost {
  constructor(problem: ShapeProblem, limits: ShapeLimits) {
    const setting = settingFor(problem)
    const advice =
      setting === undefined
        ? 'ask for less at a time'
        : `ask for less at a time, or raise "${setting}" of the server`
    super(`The answer ${sayShapeProblem(problem, limits)}; ${advice}.`, { mayHaveRun: true })
  }
}

export interface ConnectOptions {
  readonly name: string
  readonly settings: McpServerSettings
  readonly clientInfo: { readonly name: string; readonly version: string }
  /** Aborted when connecting takes too long, or nobody wants it any more. */
  readonly signal: AbortSignal
  readonly credentials?: Credential | undefined
  /** Notifications that belong to no request, such as `notifications/tools/list_changed`. */
  onNotification(method: string, params: JsonObject): void
  /** Questions that belong to no request that is known. Absent: they are refused. */
  answer?: ((question: McpQuestion, signal: AbortSignal) => Promise<JsonObject>) | undefined
  /** What the program writes to its standard error. */
  onStderr?: ((text: string) => void) | undefined
}
