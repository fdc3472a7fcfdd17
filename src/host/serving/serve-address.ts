import { isLoopback } from '../../http-client/is-loopback.js'
import type { CribSettings } from '../crib-settings.js'

const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = 4747
const MCP_PATH = '/mcp'

export interface ServeAddress {
  host: string
  port: number
  url: string
}

/** Where the gateway of a config listens. Values that are given replace those of the config. */
export function serveAddress(
  { config, trust }: Pick<CribSettings, 'config' | 'trust'>,
  given: { host?: string | undefined; port?: number | undefined } = {},
): ServeAddress {
  // An untrusted config must not open the gateway to other machines, nor send a client with its token to one.
  const named = config.serve?.host
  const own = named !== undefined && (trust.isTrusted || isLoopback(named)) ? named : DEFAULT_HOST
  const host = given.host ?? own
  const port = given.port ?? config.serve?.port ?? DEFAULT_PORT
  return { host, port, url: urlOf(host, port) }
}

export function urlOf(host: string, port: number): string {
  // A gateway that listens on all addresses is reached at the loopback address.
  const reached = host === '0.0.0.0' || host === '::' ? DEFAULT_HOST : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}${MCP_PATH}`
}
