import { buildConnector, Pool, type Dispatcher } from 'undici'
import { checkAddress, guardedLookup, type Reach, type ResolveName } from './address-rules.js'

const CONNECT_TIMEOUT_MS = 10_000

export interface PoolOptions {
  readonly url: URL
  readonly reach: Reach
  /** How many requests may run at once; unlimited by default. */
  readonly connections?: number | undefined
  /** How long a connection may take to be made, TLS included. */
  readonly connectMs?: number | undefined
  /** How long the headers of a response may be together; 16 KB by default. */
  readonly maxHeaderBytes?: number | undefined
  /** Each request gets a new connection, which is closed after it. */
  readonly isFresh?: boolean | undefined
  readonly resolveName?: ResolveName | undefined
  /** Whether a request waits for a connection. undici would also make one after a request that was aborted. */
  isNeeded?(): boolean
}

/** Connections to one origin for many requests, without a stream and an object for each. */
export type ConnectionPool = Pick<Pool, 'dispatch' | 'close' | 'destroy'>
export type PoolRequest = Pick<Dispatcher.DispatchOptions, 'method' | 'path' | 'headers' | 'body'>
export type PoolHandler = Dispatcher.DispatchHandler
export type RunningRequest = Dispatcher.DispatchController

/**
 * Opens a pool. Each connection is made to an address that was checked, and keeps it. No redirect is followed and no
 * proxy of the environment is used. The caller limits how long a request may take.
 */
export function createConnectionPool(options: PoolOptions): ConnectionPool {
  const { url, reach, connections, connectMs = CONNECT_TIMEOUT_MS, maxHeaderBytes, isFresh } = options
  checkAddress(url, reach)
  const connect = buildConnector({ timeout: connectMs, lookup: guardedLookup(reach, options.resolveName) })
  return new Pool(url.origin, {
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(target, done) {
      if (options.isNeeded?.() ?? true) connect(target, done)
      else done(new Error('no request waits for a connection'), null)
    },
    ...(connections !== undefined && { connections }),
    ...(maxHeaderBytes !== undefined && { maxHeaderSize: maxHeaderBytes }),
    ...(isFresh && { pipelining: 0 }),
  })
}
