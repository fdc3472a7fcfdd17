/** How one server is reached and treated: the common `mcpServers` entry, with a few fields of our own. */
export interface McpServerSettings {
  /** A program to start; messages go over its standard input and output. */
  command?: string
  args?: readonly string[]
  /** Additional environment variables for the program, beside the few that every child gets. */
  env?: Readonly<Record<string, string>>
  cwd?: string
  /** Or the address of a server. */
  url?: string
  headers?: Readonly<Record<string, string>>
  /** `http` by default; `sse` for servers that only support the transport of 2024-11-05. */
  type?: 'stdio' | 'http' | 'sse'
  disabled?: boolean
  /** Its hints may loosen facts, not only tighten them. */
  trusted?: boolean
  /** Whether all sessions use one connection, or each its own. Detected by default. */
  share?: 'all' | 'session'
  /** `lazy`: started by the first call of one of its tools, if its list is stored from before. Default `eager`. */
  start?: 'eager' | 'lazy'
  /**
   * How long it may be unused before it is stopped; 0 is never. Default: 10 minutes for a program, never for an
   * address.
   */
  idleMs?: number
  /** Timeout for connecting. Default: 30 seconds. */
  startTimeoutMs?: number
  /** Timeout for one call. Default: the crib's. */
  timeoutMs?: number
  /** The longest message that is accepted from it. Default: 24 MiB. */
  maxMessageBytes?: number
  /** The most values in one of its messages. Default: 100,000. */
  maxMessageValues?: number
  /** The most tools that are accepted from it. Default: 5,000. */
  maxTools?: number
  /** Names of environment variables of this process that are passed to the program. */
  inheritEnv?: readonly string[]
  /** Only these revisions are tried: `2026-07-28`, `2025-11-25`, … */
  protocolVersion?: string
  oauth?: McpOAuthSettings
}

export interface McpOAuthSettings {
  /** `client_credentials`: a token for the configured client itself, without a person. Default: through the browser. */
  grant?: 'authorization_code' | 'client_credentials'
  clientId?: string
  clientSecret?: string
  /** The authorization server that the client id belongs to. The client id is not used with another one. */
  issuer?: string
  /** The https address of a client id metadata document. */
  clientMetadataUrl?: string
  scopes?: readonly string[]
  /** Whether each actor uses a login and a connection of their own. Default: no. */
  perUser?: boolean
  /** The loopback port that the browser is redirected to. Default: a free one. */
  redirectPort?: number
}
