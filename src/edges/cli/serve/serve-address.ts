import { isLoopback } from '../../../http-client/is-loopback.js'
import type { CribSettings } from '../../../host/crib-settings.js'

export const DEFAULT_HOST = '127.0.0.1'
export const DEFAULT_PORT = 4747
export const MCP_PATH = '/mcp'

export interface ServeAddress {
  host: string
  port: number
  url: string
}

/** Where the server of a config is, or the one that the command line asks for. */
export function serveAddress(
  { config, trust }: Pick<CribSettings, 'config' | 'trust'>,
  given: { host?: string | undefined; port?: number | undefined } = {},
): ServeAddress {
  // A config that nobody trusts opens no server to others, and sends no client with its token to another machine.
  const named = config.serve?.host
  const own = named !== undefined && (trust.isTrusted || isLoopback(named)) ? named : DEFAULT_HOST
  const host = given.host ?? own
  const port = given.port ?? config.serve?.port ?? DEFAULT_PORT
  return { host, port, url: urlOf(host, port) }
}

export function urlOf(host: string, port: number): string {
  // Whoever listens everywhere is reached at this machine's own address.
  const reached = host === '0.0.0.0' || host === '::' ? DEFAULT_HOST : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}${MCP_PATH}`
}
