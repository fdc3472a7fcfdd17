import { Pool, type Dispatcher } from 'undici'
import { checkAddress, guardedLookup, type Reach } from './address-rules.js'

const CONNECT_TIMEOUT_MS = 10_000

export interface PoolOptions {
  readonly url: URL
  readonly reach: Reach
  /** How many requests may be under way at once; as many as there are, unless said. */
  readonly connections?: number | undefined
}

/** Connections to one origin for many requests. What is sent and read costs no stream and no object of its own. */
export type ConnectionPool = Pick<Pool, 'dispatch' | 'close' | 'destroy'>
export type PoolRequest = Pick<Dispatcher.DispatchOptions, 'method' | 'path' | 'headers' | 'body'>
export type PoolHandler = Dispatcher.DispatchHandler
export type RunningRequest = Dispatcher.DispatchController

/**
 * Opens a pool. Each connection is made to an address that was checked, and keeps it. No redirect is followed and no proxy of the
 * environment is used. A request may take as long as whoever waits for it allows.
 */
export function createConnectionPool({ url, reach, connections }: PoolOptions): ConnectionPool {
  checkAddress(url, reach)
  return new Pool(url.origin, {
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: CONNECT_TIMEOUT_MS, lookup: guardedLookup(reach) },
    ...(connections !== undefined && { connections }),
  })
}
