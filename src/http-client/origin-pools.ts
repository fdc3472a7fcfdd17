import type { Reach, ResolveName } from './address-rules.js'
import { createConnectionPool, type ConnectionPool } from './connection-pool.js'
import { RequestFailed } from './request-failed.js'

const MAX_HEADER_BYTES = 32 * 1024

export interface OriginPoolsOptions {
  /** How many requests to one origin may run at once; further ones wait. */
  readonly connections?: number | undefined
  /** For how many origins connections are kept open. */
  readonly maxOrigins?: number | undefined
  /** How long a connection may take to be made. */
  readonly connectMs?: number | undefined
  readonly resolveName?: ResolveName | undefined
}

export interface RequestPool {
  readonly connections: ConnectionPool
  /** How many requests have no connection yet; those who send them count. */
  waiting: number
}

/** The connections to one origin with one reach. */
export interface OriginPool {
  /** Keeps its connections open between requests. */
  readonly kept: RequestPool
  /** Makes a new connection for each request. */
  readonly fresh: RequestPool
  /** Whether a connection may have been kept open after a response. */
  hasAnswered: boolean
}

interface Entry extends OriginPool {
  /** Its requests still finish. */
  retire(): void
}

export interface OriginPools {
  /** Throws AddressRefused, and RequestFailed after the end. A pool is used at once: another one may replace it later. */
  get(url: URL, reach: Reach): OriginPool
  /** Ends all requests. */
  close(): Promise<void>
}

/** Pools by origin. The pool that was not used for the longest time makes room for a new one, and finishes its requests. */
export function createOriginPools(options: OriginPoolsOptions): OriginPools {
  const { connections = 64, maxOrigins = 16, connectMs, resolveName } = options
  const pools = new Map<string, Entry>()
  // Of all origins, also those that finish their last requests.
  const open = new Set<ConnectionPool>()
  let isClosed = false
  let last: { readonly url: URL; readonly reach: Reach; readonly pool: Entry } | undefined

  function openPool(url: URL, kind: { reach: Reach; isFresh: boolean }): RequestPool {
    const limits = { connections, connectMs, maxHeaderBytes: MAX_HEADER_BYTES }
    const isNeeded = (): boolean => pool.waiting > 0
    const pool: RequestPool = {
      connections: createConnectionPool({ url, resolveName, isNeeded, ...limits, ...kind }),
      waiting: 0,
    }
    open.add(pool.connections)
    return pool
  }

  function create(url: URL, reach: Reach): Entry {
    const kept = openPool(url, { reach, isFresh: false })
    let fresh: RequestPool | undefined
    return {
      kept,
      get fresh() {
        return (fresh ??= openPool(url, { reach, isFresh: true }))
      },
      hasAnswered: false,
      retire() {
        for (const pool of fresh ? [kept.connections, fresh.connections] : [kept.connections])
          pool.close().then(
            () => open.delete(pool),
            () => {},
          )
      },
    }
  }

  function retireOldest(): void {
    const [oldest] = pools
    if (!oldest) return
    const [key, pool] = oldest
    pools.delete(key)
    pool.retire()
  }

  return {
    get(url, reach) {
      if (isClosed)
        throw new RequestFailed('no more requests are sent', { code: 'stopped', mayHaveRun: false })
      // Most requests of a client go to the same address: nothing is looked up then.
      if (last?.url === url && last.reach === reach) return last.pool
      const key = `${reach} ${url.origin}`
      const known = pools.get(key)
      const pool = known ?? create(url, reach)
      // The last one in the map is the one that was used last.
      if (known) pools.delete(key)
      else if (pools.size >= maxOrigins) retireOldest()
      pools.set(key, pool)
      last = { url, reach, pool }
      return pool
    },
    async close() {
      isClosed = true
      pools.clear()
      await Promise.all([...open].map((pool) => pool.destroy()))
      open.clear()
    },
  }
}
