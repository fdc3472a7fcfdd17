import type { JsonObject } from './protocol/json-rpc.js'
import type { Source } from '../source.js'
import type { RequestOptions, ServerFacts } from './connection/connection.js'
import type { McpServerSettings } from './server-settings.js'
import type { ServerNote } from './tools/list-notes.js'
import type { ChangedTool } from './tools/pins.js'

/** How a server is. `idle`: stopped because nobody used it, and started again by the next call; or closed for good. */
export type ServerHealth = {
  readonly tools: number
  readonly restarts: number
  /** The process, where it is one that runs. */
  readonly pid?: number | undefined
} & (
  | { readonly state: 'connecting'; readonly since: number; readonly said?: string | undefined }
  | { readonly state: 'ready' | 'idle' | 'disabled' }
  /** It answers, but something of it does not work. */
  | { readonly state: 'degraded'; readonly reason: string }
  | {
      readonly state: 'failed'
      readonly reason: string
      readonly nextRetryAt: number | undefined
      /** Sentences about what it wrote before: of a program that crashed, the error. */
      readonly said?: string | undefined
    }
)

export type ServerEvent =
  | { readonly kind: 'tools' | 'resources' | 'prompts' | 'health' }
  | { readonly kind: 'resource_updated'; readonly uri: string; readonly params: JsonObject }
  | { readonly kind: 'log'; readonly params: JsonObject }

export interface ServerRequestOptions extends RequestOptions {
  /** Whose request it is; a server that is not shared has a connection for each. */
  session?: string | undefined
  /** Who asks; a server with logins for each has a connection for each. Whoever runs the process, where absent. */
  actor?: string | undefined
}

/** A server of the config, connected or not. */
export interface McpServer {
  readonly name: string
  readonly settings: McpServerSettings
  readonly source: Source
  health(): ServerHealth
  /** What it said of itself when it was last connected to. */
  facts(): ServerFacts | undefined
  /** What it said to whoever connects, in this run or an earlier one. */
  instructions(): string | undefined
  /** Whether it has a list of tools, from this run or an earlier one. */
  knowsTools(): boolean
  /** Resolves when it has been connected to and listed, or has failed once; starts it where nobody has. */
  settled(): Promise<void>
  /** Starts it where it does not run, and asks it. The result as the server sent it. */
  request(method: string, params: JsonObject | undefined, options?: ServerRequestOptions): Promise<JsonObject>
  /** All pages; kept until the server says that they changed or its time to live is over. */
  resources(): Promise<readonly JsonObject[]>
  resourceTemplates(): Promise<readonly JsonObject[]>
  prompts(): Promise<readonly JsonObject[]>
  /** However many subscribe, the server is asked once. What it returns ends this one. */
  subscribe(uri: string): Promise<() => Promise<void>>
  setLogLevel(level: string): Promise<void>
  /** What it returns ends it. */
  onEvent(listener: (news: ServerEvent) => void): () => void
  /** What it last listed, as it said it. */
  listed(): ListedTools
  /** Tools that are blocked: they are no longer what was accepted under their names. */
  changed(): readonly ChangedTool[]
  /** What is wrong with its list of tools. */
  notes(): readonly ServerNote[]
  /** The last lines of its standard error. */
  stderr(): readonly string[]
  /** A session is over: what was its own is closed. */
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
  /** Of the connection that it was listed over; absent where nothing was. */
  readonly protocolVersion: string | undefined
}

export interface McpServers {
  readonly servers: readonly McpServer[]
  readonly sources: readonly Source[]
  get(name: string): McpServer | undefined
  /**
   * Puts these servers in place of those it has: one with the same settings stays as it is. Those that leave are not
   * closed: whoever opened their sources does that.
   */
  replace(settings: Readonly<Record<string, McpServerSettings>>): ServersChange
  /** Told when servers have come or left. What it returns ends it. */
  onChange(listener: () => void): () => void
  /** Resolves when every server has been connected to or has failed once, or the time is over. */
  settled(timeoutMs: number): Promise<void>
  close(): Promise<void>
}
