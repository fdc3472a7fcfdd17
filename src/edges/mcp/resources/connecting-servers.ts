import { safeServerName, serverNamespace } from '../../../sources/mcp/tools/safe-name.js'
import type { Connection } from '../connection.js'
import { chooserOf } from './visible-servers.js'

/** The names of servers that are still connecting and may have a tool of this name on this surface. */
export function connectingServers(name: string, { gateway, names, surface }: Connection): string[] {
  const pending = new Set(gateway.crib.pendingProviders())
  if (pending.size === 0) return []
  const isChosen = chooserOf(surface.request)
  const connecting = gateway.servers?.servers.filter((server) => pending.has(server.name)) ?? []
  return connecting
    .filter((server) => {
      const own = ownName(name, server.name) ?? (names.style === 'bare' ? name : undefined)
      return own !== undefined && isChosen(serverNamespace(server.name), own)
    })
    .map((server) => server.name)
}

function ownName(name: string, server: string): string | undefined {
  const namespace = serverNamespace(server)
  const prefix = [`${safeServerName(server)}__`, `${namespace.replace('.', '__')}__`, `${namespace}.`].find(
    (each) => name.startsWith(each),
  )
  return prefix === undefined ? undefined : name.slice(prefix.length)
}
