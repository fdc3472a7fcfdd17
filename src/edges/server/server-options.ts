import type { Authenticate } from './auth/authenticate.js'

export interface ServerOptions {
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined
  /** Default: 0, which takes a free port. */
  readonly port?: number | undefined
  /** Identifies the sender of a request. With `undefined` every caller is one local user, and only loopback is served. */
  readonly authenticate: Authenticate | undefined
  /** Host names of this server besides loopback, as in a Host header; the port may be omitted. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Origins of web pages that may send requests, exactly as browsers send them. Only these get CORS headers. */
  readonly allowedOrigins?: readonly string[] | undefined
  readonly maxConnections?: number | undefined
  /** For callers without a limit of their own. */
  readonly rateLimitPerMinute?: number | undefined
  /** How long a client may take to send its headers, and its whole request. */
  readonly headersTimeoutMs?: number | undefined
  readonly requestTimeoutMs?: number | undefined
  /** How many wrong tokens one address may send in a minute. */
  readonly wrongTokensPerMinute?: number | undefined
  /** Called for errors that are not a client's fault. */
  readonly onProblem?: ((problem: unknown) => void) | undefined
}

export type ServerSettings = ReturnType<typeof resolveServerOptions>

export function resolveServerOptions(options: ServerOptions) {
  return {
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    authenticate: options.authenticate,
    allowedHosts: (options.allowedHosts ?? []).map((host) => host.toLowerCase()),
    allowedOrigins: options.allowedOrigins ?? [],
    maxConnections: options.maxConnections ?? 4096,
    rateLimitPerMinute: options.rateLimitPerMinute,
    headersTimeoutMs: options.headersTimeoutMs ?? 15_000,
    requestTimeoutMs: options.requestTimeoutMs ?? 60_000,
    wrongTokensPerMinute: options.wrongTokensPerMinute ?? 30,
  }
}
