import { remember } from '../../../platform/json/remember.js'
import type { McpServer } from '../../../sources/mcp/mcp-server.js'
import { serverNamespace } from '../../../sources/mcp/tools/safe-name.js'
import type { BuiltSurface } from '../../../surfaces/build-surface.js'
import { compileNamePatterns, toNamedTool } from '../../../surfaces/name-pattern.js'
import type { SurfaceRequest } from '../../../surfaces/surface-request.js'
import type { GatewayContext, Connection } from '../connection.js'

/**
 * The servers whose resources and prompts a client sees, in the order of the config: those of which the surface has a
 * tool. A server without tools is treated as if it had one tool named `resources`.
 */
export function visibleServers({
  gateway,
  surface,
}: Pick<Connection, 'gateway' | 'surface'>): readonly McpServer[] {
  return gateway.servers?.servers.length ? serversBehind(surface.current(), gateway) : []
}

/** The same for a built surface, or for a preview of one. */
export function serversBehind(
  built: BuiltSurface,
  gateway: Pick<GatewayContext, 'servers'>,
): readonly McpServer[] {
  const { servers = [] } = gateway.servers ?? {}
  const shown = namespacesOf(built)
  const isChosen = chooserOf(built.request)
  return servers.filter((server) => {
    const { state, tools } = server.health()
    if (state === 'disabled') return false
    const namespace = serverNamespace(server.name)
    if (shown.has(namespace) || tools > 0) return shown.has(namespace)
    return isChosen(namespace, 'resources')
  })
}

/** Remembered, because it is needed for each event of a server. */
const namespacesOf = remember(({ loaded, deferred }: BuiltSurface): ReadonlySet<string> => {
  const shown = new Set<string>()
  for (const tools of [loaded, deferred]) for (const { draft } of tools) shown.add(draft.namespace)
  return shown
})

/** Whether the name patterns of a surface select a tool of this name. */
export function chooserOf({
  include,
  exclude,
}: Pick<SurfaceRequest, 'include' | 'exclude'>): (namespace: string, name: string) => boolean {
  const isIncluded = include && compileNamePatterns(include)
  const isExcluded = exclude && compileNamePatterns(exclude)
  return (namespace, name) => {
    const placeholder = toNamedTool(namespace, name)
    return (isIncluded?.(placeholder) ?? true) && !isExcluded?.(placeholder)
  }
}
