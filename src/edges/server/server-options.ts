import type { Authenticate } from './auth/authenticate.js'

export interface ServerOptions {
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** 0, the default, takes a free one. */
  readonly port?: number | undefined
  /** Says who sends a request. `undefined` takes everybody for one local user, and is refused on any address but loopback. */
  readonly authenticate: Authenticate | undefined
  /** Names under which this server is reached besides loopback, as in a Host header; the port may be left out. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Origins of web pages that may call, exactly as browsers send them. Only these get CORS headers. */
  readonly allowedOrigins?: readonly string[] | undefined
  readonly maxConnections?: number | undefined
  /** For callers without a limit of their own. */
  readonly rateLimitPerMinute?: number | undefined
  /** How long a client may take to send its headers, and the whole of its request. */
  readonly headersTimeoutMs?: number | undefined
  readonly requestTimeoutMs?: number | undefined
  /** How many tokens from one address may be wrong in a minute. */
  readonly wrongTokensPerMinute?: number | undefined
  /** Hears of errors that are no client's fault. */
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
