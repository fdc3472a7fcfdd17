import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import type { Connection } from '../connection.js'

/** Whether a caller may see a tool: tools that were not selected or are blocked by policy do not exist for it. */
export function isOnSurface(tool: CatalogTool, { surface }: Pick<Connection, 'surface'>): boolean {
  const visibility = surface.current().visibilityOf(tool)
  return (
    visibility.state === 'loaded' ||
    (visibility.reason !== 'policy_blocked' && visibility.reason !== 'toolcrib.not_selected')
  )
}

/** Whether a call may be accessed from this connection: it was made on its surface, or its tool is on the surface. */
export function mayAccessCall(
  { surfaceId, toolId }: { readonly surfaceId: string; readonly toolId: string },
  connection: Pick<Connection, 'surface' | 'gateway'>,
): boolean {
  if (surfaceId === connection.surface.id) return true
  const tool = connection.gateway.crib.tool(toolId)
  return tool !== undefined && isOnSurface(tool, connection)
}
