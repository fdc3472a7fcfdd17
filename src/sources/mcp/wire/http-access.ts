import { createConnectionPool, type ConnectionPool } from '../../../platform/http-client/connection-pool.js'
import type { ShapeLimits } from '../protocol/shape-limits.js'
import { ConnectionLost, type HttpCredentials } from '../connection.js'
import { callHttp, type HttpAnswer, type HttpCall } from './http-call.js'

/** New credentials may be refused again, such as for a scope that was not asked for before. */
const MAX_TRIES = 4
const CONNECTIONS = 128

export interface AccessCall extends Omit<HttpCall, 'limits' | 'path'> {
  readonly path?: string | undefined
  /** How long each attempt may take, without the time that credentials take. */
  readonly attemptMs?: number | undefined
}

export interface HttpAccess {
  readonly url: URL
  /** For requests: as many at once as there are connections. */
  call(call: AccessCall): Promise<HttpAnswer>
  /** For what must not wait behind requests: streams, notifications and answers that a request needs to go on. */
  callAside(call: AccessCall): Promise<HttpAnswer>
  /** Whoever still waits is told why. */
  close(why: string): void
  /** Takes no more; what is under way may end. */
  retire(why: string): void
}

/** Calls to one address, with whatever proves who asks. */
export function createHttpAccess(options: {
  readonly url: string
  readonly limits: ShapeLimits
  readonly credentials?: HttpCredentials | undefined
}): HttpAccess {
  const { credentials, limits } = options
  const url = new URL(options.url)
  const ownPath = url.pathname + url.search
  const calls = createConnectionPool({ url, reach: 'named', connections: CONNECTIONS })
  const asides = createConnectionPool({ url, reach: 'named' })

  const authorized = async (pool: ConnectionPool, { attemptMs, ...call }: AccessCall) => {
    const plain = { ...call, path: call.path ?? ownPath, limits, signal: limited(call.signal, attemptMs) }
    if (!credentials) return callHttp(pool, plain)
    for (let tries = 1; ; tries++) {
      const sent = await unlessAborted(credentials.headers(), call.signal)
      const signal = limited(call.signal, attemptMs)
      const answer = await callHttp(pool, { ...plain, signal, headers: { ...call.headers, ...sent } })
      if ((answer.status !== 401 && answer.status !== 403) || tries === MAX_TRIES) return answer
      const wwwAuthenticate = answer.headers['www-authenticate']
      const next = credentials.refused({ status: answer.status, wwwAuthenticate, sent })
      if ((await unlessAborted(next, call.signal)) === 'give_up') return answer
    }
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

function limited(signal: AbortSignal | undefined, timeoutMs: number | undefined): AbortSignal | undefined {
  if (timeoutMs === undefined) return signal
  const limit = AbortSignal.timeout(timeoutMs)
  return signal ? AbortSignal.any([signal, limit]) : limit
}

/** A login may take as long as a person takes: whoever gives up does not wait for it. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}
