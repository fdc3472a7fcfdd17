import type { Credential } from '../../http-client/credential.js'
import { withTimeLimit } from '../../platform/async/with-time-limit.js'
import { sameJson } from '../../platform/json/same-json.js'
import { ownVersion } from '../../platform/files/own-package.js'
import type { connect as Connect } from './connection/connect.js'
import type { ConnectOptions } from './connection/connection.js'
import { guardCredentials, NO_MASK, type ServerMask } from './guard-credentials.js'
import type { McpServers, ServersChange } from './mcp-server.js'
import type { McpServerSettings } from './server-settings.js'
import { createMcpServer, type OwnedServer } from './servers/create-mcp-server.js'
import { withoutPersonal } from './servers/without-personal.js'

export interface McpServersOptions {
  clientInfo?: ConnectOptions['clientInfo']
  /** `actor` is given only where each actor has a login; otherwise the process's credentials are used. */
  credentialsFor?(name: string, settings: McpServerSettings, actor?: string): Credential | undefined
  connect?: typeof Connect
  /** Removes secrets, such as the tokens sent to servers, from what servers send. */
  mask?: ServerMask
  /** How often a server is pinged and how long it may take to answer: a minute and 5 s by default. */
  checks?: { everyMs: number; waitMs: number }
  /** Milliseconds. */
  now?: () => number
  /** Receives problems that no caller waits for. */
  onProblem?: (message: string) => void
}

/** The servers of a config. Nothing connects before a crib opens their sources or a request is made. */
export function createMcpServers(
  settings: Readonly<Record<string, McpServerSettings>>,
  options: McpServersOptions = {},
): McpServers {
  const { clientInfo = ownInfo(), now = Date.now, onProblem = () => {}, mask = NO_MASK } = options
  // Loaded lazily: without servers it costs nothing.
  const dial: typeof Connect =
    options.connect ?? (async (given) => (await import('./connection/connect.js')).connect(given))
  const connect = guardCredentials(dial, mask)
  const listeners = new Set<() => void>()
  let servers = Object.entries(settings).map(([name, each]) => create(name, each))

  function create(name: string, each: McpServerSettings): OwnedServer {
    const server = createMcpServer(name, each, {
      clientInfo,
      credentials: options.credentialsFor?.(name, each),
      credentialsOf: (actor) => options.credentialsFor?.(name, each, actor),
      connect,
      now,
      random: Math.random,
      checks: options.checks ?? { everyMs: 60_000, waitMs: 5_000 },
      onProblem,
    })
    return each.oauth?.perUser === true ? withoutPersonal(server) : server
  }

  function replace(next: Readonly<Record<string, McpServerSettings>>): ServersChange {
    const before = new Map(servers.map((server) => [server.name, server]))
    const added = Object.keys(next).filter((name) => !before.has(name))
    const removed = [...before.keys()].filter((name) => !Object.hasOwn(next, name))
    servers = Object.entries(next).map(([name, each]) => {
      const known = before.get(name)
      return known && sameJson(known.settings, each) ? known : create(name, each)
    })
    const edited = servers.filter((server) => {
      const known = before.get(server.name)
      return known !== undefined && known !== server
    })
    const change = { added, removed, edited: edited.map(({ name }) => name) }
    for (const listener of listeners) listener()
    return change
  }

  return {
    get servers() {
      return servers
    },
    get sources() {
      return servers.map(({ source }) => source)
    },
    get: (name) => servers.find((server) => server.name === name),
    replace,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async settled(timeoutMs) {
      await withTimeLimit(Promise.all(servers.map((server) => server.settled())), timeoutMs)
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

function ownInfo(): ConnectOptions['clientInfo'] {
  return { name: 'toolcrib', version: ownVersion() }
}
