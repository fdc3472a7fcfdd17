import { remember } from '../../../platform/json/remember.js'
import { providerName } from '../../../catalog/provider-name.js'
import type { McpServer } from '../../../sources/mcp/mcp-server.js'
import { serverNamespace } from '../../../sources/mcp/tools/safe-name.js'
import type { BuiltSurface } from '../../../surfaces/build-surface.js'
import { compileNamePatterns, type NamedTool } from '../../../surfaces/name-pattern.js'
import type { SurfaceRequest } from '../../../surfaces/surface-request.js'
import type { GatewayContext, Connection } from '../connection.js'

/**
 * The servers whose resources and prompts a client may have, in the order of the config: those of which the surface has
 * a tool. One without any tools is looked at as if it had one of the name `resources`.
 */
export function visibleServers({
  gateway,
  surface,
}: Pick<Connection, 'gateway' | 'surface'>): readonly McpServer[] {
  return gateway.servers?.servers.length ? serversBehind(surface.current(), gateway) : []
}

/** The same for what a surface has, or would have. */
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

/** Asked with each piece of news of a server. */
const namespacesOf = remember(({ loaded, deferred }: BuiltSurface): ReadonlySet<string> => {
  const shown = new Set<string>()
  for (const tools of [loaded, deferred]) for (const { draft } of tools) shown.add(draft.namespace)
  return shown
})

/** Whether a surface would have a tool of this name, as far as names decide that. */
export function chooserOf({
  include,
  exclude,
}: Pick<SurfaceRequest, 'include' | 'exclude'>): (namespace: string, name: string) => boolean {
  const isIncluded = include && compileNamePatterns(include)
  const isExcluded = exclude && compileNamePatterns(exclude)
  return (namespace, name) => {
    const stand = standIn(namespace, name)
    return (isIncluded?.(stand) ?? true) && !isExcluded?.(stand)
  }
}

function standIn(namespace: string, name: string): NamedTool {
  const toolId = `${namespace}.${name}`
  return {
    toolId,
    providerName: providerName(toolId),
    draft: { namespace, name, aliases: [], toolId: undefined },
  }
}
