import type { Credential } from '../../../http-client/credential.js'
import { headerCredential } from '../../../credentials/header-credential.js'
import { joinCredentials } from '../../../credentials/join-credentials.js'
import { withCredential, withHeaders, withQuery } from '../../../http-client/with-credential.js'
import { createConnectionPool, type ConnectionPool } from '../../../http-client/connection-pool.js'
import type { ShapeLimits } from '../protocol/shape-limits.js'
import { ConnectionLost } from '../connection/connection.js'
import { callHttp, type HttpAnswer, type HttpCall } from './http-call.js'
import { abortAfter } from '../../../platform/async/abort-after.js'
import { toAbortSignal } from '../../../platform/async/stop-signal.js'

const CONNECTIONS = 128

export interface AccessCall extends Omit<HttpCall, 'limits' | 'path'> {
  readonly path?: string | undefined
  /** Timeout of each attempt, without the time for credentials. */
  readonly attemptMs?: number | undefined
}

export interface HttpAccess {
  readonly url: URL
  /** For requests: as many at once as there are connections. */
  call(call: AccessCall): Promise<HttpAnswer>
  /**
   * For calls that must not queue behind requests: streams, notifications, and answers that a request needs to
   * continue.
   */
  callAside(call: AccessCall): Promise<HttpAnswer>
  /** Pending calls fail with the reason. */
  close(why: string): void
  /** Accepts no new calls; running calls may finish. */
  retire(why: string): void
}

export interface HttpAccessOptions {
  readonly url: string
  readonly limits: ShapeLimits
  /** The configured headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly credentials?: Credential | undefined
}

/** Calls to one address, with credentials. */
export function createHttpAccess(options: HttpAccessOptions): HttpAccess {
  const { limits } = options
  const url = new URL(options.url)
  const credential = credentialOf(url, options)
  const ownPath = url.pathname + url.search
  const calls = createConnectionPool({ url, reach: 'named', connections: CONNECTIONS })
  const asides = createConnectionPool({ url, reach: 'named' })

  const authorized = (pool: ConnectionPool, call: AccessCall): Promise<HttpAnswer> => {
    const { method, path = ownPath, headers, body, stream, attemptMs, signal } = call
    return withCredential({ credential, url, signal }, (proof) =>
      callHttp(pool, {
        method,
        path: withQuery(path, proof.query),
        headers: withHeaders(headers, proof),
        body,
        stream,
        limits,
        signal: attemptMs === undefined ? signal : abortAfter(attemptMs, signal && toAbortSignal(signal)),
      }),
    )
  }

  return {
    url,
    call: (call) => authorized(calls, call),
    callAside: (call) => authorized(asides, call),
    close(why) {
      const lost = new ConnectionLost(why, { mayHaveRun: true })
      void calls.destroy(lost)
      void asides.destroy(lost)
    },
    retire(why) {
      calls.close().catch(() => {})
      void asides.destroy(new ConnectionLost(why, { mayHaveRun: true }))
    },
  }
}

function credentialOf(
  { origin }: URL,
  { headers, credentials }: Pick<HttpAccessOptions, 'headers' | 'credentials'>,
): Credential | undefined {
  if (headers === undefined) return credentials
  const configured = headerCredential({ origin, headers })
  return credentials ? joinCredentials(configured, credentials) : configured
}
