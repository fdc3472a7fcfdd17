import type { IdentifySession } from './admission.js'
import type { Authenticate } from './auth/authenticate.js'
import { createClientAddress } from './client-address.js'
import { createGuessLimit, type GuessLimit } from './guess-limit.js'
import type { SeenRequest } from './watch-requests.js'

/** How a person can log in. */
export interface LoginChoices {
  readonly token: true
  readonly oidc?: { readonly name: string } | undefined
}

/** Who may use the handlers that are for people too. Nobody is admitted to them without credentials. */
export interface PeopleOptions {
  readonly authenticate: Authenticate
  readonly identifySession: IdentifySession
  readonly login: LoginChoices
}

export interface ServerOptions {
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined
  /** Default: 0, which takes a free port. */
  readonly port?: number | undefined
  /** Identifies the sender of a request. With `undefined` every caller is one local user, and only loopback is served. */
  readonly authenticate: Authenticate | undefined
  /** Absent: handlers for people are used by callers with tokens only. */
  readonly people?: PeopleOptions | undefined
  /** Calls back when a token may have ended: what is remembered of callers is then checked again. */
  readonly watchIdentities?: ((changed: (ended: readonly string[]) => void) => () => void) | undefined
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
  /** How long a client may read nothing of what was written for it. Default: a minute. */
  readonly stalledAfterMs?: number | undefined
  /** How many wrong tokens one address may send in a minute. */
  readonly wrongTokensPerMinute?: number | undefined
  /** Addresses and ranges of proxies whose X-Forwarded-For says which address a request is from. Default: none. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Called for each request when it is over. */
  readonly onRequest?: ((seen: SeenRequest) => void) | undefined
  /** The count of wrong tokens, where other parts share it. */
  readonly guesses?: GuessLimit | undefined
  /** Called for errors that are not a client's fault. */
  readonly onProblem?: ((problem: unknown) => void) | undefined
}

export const WRONG_TOKENS_PER_MINUTE = 30

export type ServerSettings = ReturnType<typeof resolveServerOptions>

export function resolveServerOptions(options: ServerOptions) {
  return {
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    authenticate: options.authenticate,
    people: options.people,
    watchIdentities: options.watchIdentities,
    allowedHosts: (options.allowedHosts ?? []).map((host) => host.toLowerCase()),
    allowedOrigins: options.allowedOrigins ?? [],
    maxConnections: options.maxConnections ?? 4096,
    rateLimitPerMinute: options.rateLimitPerMinute,
    headersTimeoutMs: options.headersTimeoutMs ?? 15_000,
    requestTimeoutMs: options.requestTimeoutMs ?? 60_000,
    stalledAfterMs: options.stalledAfterMs ?? 60_000,
    guesses:
      options.guesses ??
      createGuessLimit(
        options.wrongTokensPerMinute ?? WRONG_TOKENS_PER_MINUTE,
        createClientAddress(options.trustedProxies ?? []),
      ),
  }
}
