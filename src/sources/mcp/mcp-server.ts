import type { JsonObject } from './protocol/json-rpc.js'
import type { Source } from '../source.js'
import type { RequestOptions, ServerFacts } from './connection/connection.js'
import type { McpServerSettings } from './server-settings.js'
import type { ServerNote } from './tools/list-notes.js'
import type { ChangedTool } from '../changes/source-changes.js'

/**
 * Health of a server. `idle`: stopped because it was unused, and started again by the next call; or closed for good.
 */
export type ServerHealth = {
  readonly tools: number
  readonly restarts: number
  /** The process id, where it is a running process. */
  readonly pid?: number | undefined
} & (
  | { readonly state: 'connecting'; readonly since: number; readonly said?: string | undefined }
  | { readonly state: 'ready' | 'idle' | 'disabled' }
  /** It answers, but a part of it does not work. */
  | { readonly state: 'degraded'; readonly reason: string }
  | {
      readonly state: 'failed'
      readonly reason: string
      readonly nextRetryAt: number | undefined
      /** What it wrote before it failed, as sentences; for a crashed program, the error. */
      readonly said?: string | undefined
    }
)

export type ServerEvent =
  | { readonly kind: 'tools' | 'resources' | 'prompts' | 'health' }
  | { readonly kind: 'resource_updated'; readonly uri: string; readonly params: JsonObject }
  | { readonly kind: 'log'; readonly params: JsonObject }

export interface ServerRequestOptions extends RequestOptions {
  /** The session of the request; a server that is not shared has a connection for each session. */
  session?: string | undefined
  /**
   * The actor of the request; a server with logins per user has a connection for each. Default: the user of the
   * process.
   */
  actor?: string | undefined
}

/** A server of the config, connected or not. */
export interface McpServer {
  readonly name: string
  readonly settings: McpServerSettings
  readonly source: Source
  health(): ServerHealth
  /** What it reported about itself in the last handshake. */
  facts(): ServerFacts | undefined
  /** Its instructions to clients, from this run or an earlier one. */
  instructions(): string | undefined
  /** Whether it has a list of tools, from this run or an earlier one. */
  knowsTools(): boolean
  /** Resolves when it has connected and listed its tools, or has failed once; starts it if it was not started. */
  settled(): Promise<void>
  /** Starts the server if it does not run, and sends the request. The result as the server sent it. */
  request(method: string, params: JsonObject | undefined, options?: ServerRequestOptions): Promise<JsonObject>
  /** All pages; cached until the server announces a change or its time to live is over. */
  resources(): Promise<readonly JsonObject[]>
  resourceTemplates(): Promise<readonly JsonObject[]>
  prompts(): Promise<readonly JsonObject[]>
  /** The server gets one subscription for all subscribers. The returned function ends this one. */
  subscribe(uri: string): Promise<() => Promise<void>>
  setLogLevel(level: string): Promise<void>
  /** The returned function ends it. */
  onEvent(listener: (event: ServerEvent) => void): () => void
  /** The last list, as the server sent it. */
  listed(): ListedTools
  /** Blocked tools: their definitions differ from the accepted ones. */
  changed(): readonly ChangedTool[]
  /** Problems of its list of tools. */
  notes(): readonly ServerNote[]
  /** The last lines of its standard error. */
  stderr(): readonly string[]
  /** Ends a session: its own connection is closed. */
  leave(session: string): Promise<void>
  restart(): Promise<void>
}

/** Names of servers. */
export interface ServersChange {
  readonly added: readonly string[]
  readonly edited: readonly string[]
  readonly removed: readonly string[]
}

export interface ListedTools {
  readonly entries: readonly JsonObject[]
  /** The revision of the connection that listed the tools; absent where nothing was listed. */
  readonly protocolVersion: string | undefined
}

export interface McpServers {
  readonly servers: readonly McpServer[]
  readonly sources: readonly Source[]
  get(name: string): McpServer | undefined
  /**
   * Replaces the servers: one with the same settings stays as it is. Removed servers are not closed; the owner of their
   * sources closes them.
   */
  replace(settings: Readonly<Record<string, McpServerSettings>>): ServersChange
  /** Called when servers were added or removed. The returned function ends it. */
  onChange(listener: () => void): () => void
  /** Resolves when every server has connected or failed once, or after the timeout. */
  settled(timeoutMs: number): Promise<void>
  close(): Promise<void>
}
