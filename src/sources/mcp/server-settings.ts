/** How one server is reached and treated: the common `mcpServers` entry, with a few words of our own. */
export interface McpServerSettings {
  /** A program to start, which is then spoken to over its standard input and output. */
  command?: string
  args?: readonly string[]
  /** More variables for the program, beside the few that every child gets. */
  env?: Readonly<Record<string, string>>
  cwd?: string
  /** Or the address of a server. */
  url?: string
  headers?: Readonly<Record<string, string>>
  /** `http` unless said; `sse` for servers that only speak the transport of 2024-11-05. */
  type?: 'stdio' | 'http' | 'sse'
  disabled?: boolean
  /** Its hints may loosen, and not only tighten. */
  trusted?: boolean
  /** Whether all sessions use one connection, or each its own. Found out, unless said. */
  share?: 'all' | 'session'
  /** `lazy`: not before somebody calls one of its tools, as long as its list is known from before. `eager`, unless said. */
  start?: 'eager' | 'lazy'
  /** How long it may go unused before it is stopped; 0 never. A program 10 minutes, unless said; an address never. */
  idleMs?: number
  /** How long connecting may take. 30 seconds, unless said. */
  startTimeoutMs?: number
  /** How long one call may take. As the crib says, unless said. */
  timeoutMs?: number
  /** The longest message that is taken from it. 24 MiB, unless said. */
  maxMessageBytes?: number
  /** How many values one message of it may have. 100,000, unless said. */
  maxMessageValues?: number
  /** How many tools of it are taken. 5,000, unless said. */
  maxTools?: number
  /** Names of variables of this process that the program gets too. */
  inheritEnv?: readonly string[]
  /** Only these revisions are tried: `2026-07-28`, `2025-11-25`, … */
  protocolVersion?: string
  oauth?: McpOAuthSettings
}

export interface McpOAuthSettings {
  /** `client_credentials`: for the configured client itself, without a person. Through the browser, unless said. */
  grant?: 'authorization_code' | 'client_credentials'
  clientId?: string
  clientSecret?: string
  /** The authorization server that the client id belongs to. Where the server names another one, it is not used. */
  issuer?: string
  /** The https address of a client id metadata document. */
  clientMetadataUrl?: string
  scopes?: readonly string[]
  /** Whether each actor comes in with a login of their own, over a connection of their own. No, unless said. */
  perUser?: boolean
  /** The port of the loopback address that the browser is sent back to. A free one, unless said. */
  redirectPort?: number
}
