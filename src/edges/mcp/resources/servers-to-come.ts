import { safeServerName, serverNamespace } from '../../../sources/mcp/tools/safe-name.js'
import type { Connection } from '../connection.js'
import { chooserOf } from './visible-servers.js'

/** The servers that are still being connected to and may have a tool of this name, for this client. */
export function serversToCome(name: string, { gateway, names, surface }: Connection): string[] {
  const pending = new Set(gateway.crib.pendingProviders())
  if (pending.size === 0) return []
  const isChosen = chooserOf(surface.request)
  const coming = gateway.servers?.servers.filter((server) => pending.has(server.name)) ?? []
  return coming
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
