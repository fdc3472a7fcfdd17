import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { ServerOptions } from '../../server/server-options.js'
import type { Gateway } from '../gateway.js'

export interface McpHttpOptions {
  readonly gateway: Gateway
  readonly maxBodyBytes?: number | undefined
  /** After how long without a request or stream a session ends. */
  readonly sessionIdleMs?: number | undefined
  /** When there are more, sessions of the caller that opens another end first. */
  readonly maxSessions?: number | undefined
  /** Per caller; when there are more, the caller's session that has been idle longest ends. */
  readonly maxSessionsPerCaller?: number | undefined
  /** How many requests of one caller may be in flight. */
  readonly maxInFlight?: number | undefined
  /** How many `subscriptions/listen` streams may be open at once. */
  readonly maxSubscriptions?: number | undefined
  /** How long a request continues after its stream broke, in case the client resumes it. */
  readonly resumeGraceMs?: number | undefined
  /** A request that takes longer than this is answered on a stream, so that no proxy times out. */
  readonly streamAfterMs?: number | undefined
  readonly keepAliveMs?: number | undefined
}

export interface HttpOptions extends ServerOptions, McpHttpOptions {
  /** The protected-resource document (RFC 9728) of the resource at a path, such as `/mcp`. */
  readonly metadata?: ((path: string) => JsonObject | undefined) | undefined
}

export type McpHttpSettings = ReturnType<typeof resolveMcpOptions>

export function resolveMcpOptions(options: McpHttpOptions) {
  return {
    maxBodyBytes: options.maxBodyBytes ?? 4 * 1024 * 1024,
    sessionIdleMs: options.sessionIdleMs ?? 30 * 60_000,
    maxSessions: options.maxSessions ?? 1000,
    maxSessionsPerCaller: options.maxSessionsPerCaller ?? 500,
    maxInFlight: options.maxInFlight ?? 1000,
    maxSubscriptions: options.maxSubscriptions ?? 1024,
    resumeGraceMs: options.resumeGraceMs ?? 10_000,
    streamAfterMs: options.streamAfterMs ?? 15_000,
    keepAliveMs: options.keepAliveMs ?? 15_000,
  }
}
