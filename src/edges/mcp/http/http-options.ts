import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { Authenticate } from '../auth/authenticate.js'
import type { Gateway } from '../gateway.js'

export interface HttpOptions {
  readonly gateway: Gateway
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** 0, the default, takes a free one. */
  readonly port?: number | undefined
  /** Who comes in. `undefined` lets everybody in under one name, and is refused on any address but loopback. */
  readonly authenticate: Authenticate | undefined
  /** Names under which this house is reached besides loopback, as in a Host header; the port may be left out. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Origins of web pages that may call, exactly as browsers send them. Only these get CORS headers. */
  readonly allowedOrigins?: readonly string[] | undefined
  readonly maxBodyBytes?: number | undefined
  /** The protected-resource document (RFC 9728) of the resource at a path, such as `/mcp`. */
  readonly metadata?: ((path: string) => JsonObject | undefined) | undefined
  /** After how long without a request or stream a session ends. */
  readonly sessionIdleMs?: number | undefined
  /** When there are more, those of whoever opens another go first. */
  readonly maxSessions?: number | undefined
  /** Of one caller; when there are more, the one of its own that has been idle longest goes. */
  readonly maxSessionsPerCaller?: number | undefined
  /** How many requests of one caller may be under way. */
  readonly maxUnderWay?: number | undefined
  /** How many `subscriptions/listen` streams may be open at once. */
  readonly maxSubscriptions?: number | undefined
  readonly maxConnections?: number | undefined
  /** For callers without a limit of their own. */
  readonly rateLimitPerMinute?: number | undefined
  /** How long a request goes on after its stream broke, in case the client resumes it. */
  readonly resumeGraceMs?: number | undefined
  /** A request that takes longer than this is answered on a stream, so that nothing between here and there gives up. */
  readonly streamAfterMs?: number | undefined
  readonly keepAliveMs?: number | undefined
  /** How long a client may take to send its headers, and the whole of its request. */
  readonly headersTimeoutMs?: number | undefined
  readonly requestTimeoutMs?: number | undefined
  /** How many tokens from one address may be wrong in a minute. */
  readonly wrongTokensPerMinute?: number | undefined
  /** Hears of errors that are no client's fault. */
  readonly onProblem?: ((problem: unknown) => void) | undefined
}

export type HttpSettings = ReturnType<typeof resolveHttpOptions>

export function resolveHttpOptions(options: HttpOptions) {
  return {
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    authenticate: options.authenticate,
    allowedHosts: (options.allowedHosts ?? []).map((host) => host.toLowerCase()),
    allowedOrigins: options.allowedOrigins ?? [],
    maxBodyBytes: options.maxBodyBytes ?? 4 * 1024 * 1024,
    metadata: options.metadata,
    sessionIdleMs: options.sessionIdleMs ?? 30 * 60_000,
    maxSessions: options.maxSessions ?? 1000,
    maxSessionsPerCaller: options.maxSessionsPerCaller ?? 500,
    maxUnderWay: options.maxUnderWay ?? 1000,
    maxSubscriptions: options.maxSubscriptions ?? 1024,
    maxConnections: options.maxConnections ?? 4096,
    rateLimitPerMinute: options.rateLimitPerMinute,
    resumeGraceMs: options.resumeGraceMs ?? 10_000,
    streamAfterMs: options.streamAfterMs ?? 15_000,
    keepAliveMs: options.keepAliveMs ?? 15_000,
    headersTimeoutMs: options.headersTimeoutMs ?? 15_000,
    requestTimeoutMs: options.requestTimeoutMs ?? 60_000,
    wrongTokensPerMinute: options.wrongTokensPerMinute ?? 30,
  }
}
