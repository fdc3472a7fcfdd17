import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import type { Connection } from '../connection.js'

/** Whether a caller may know of a tool: what was not chosen for it, or is denied to it, is not there. */
export function isOnSurface(tool: CatalogTool, { surface }: Connection): boolean {
  const visibility = surface.current().visibilityOf(tool)
  return (
    visibility.standing === 'loaded' ||
    (visibility.reason !== 'policy_blocked' && visibility.reason !== 'toolcrib.not_selected')
  )
}

/** Whether a call may be looked after from here: begun here, or of a tool that could be called here. */
export function mayLookAfter(
  { surfaceId, toolId }: { readonly surfaceId: string; readonly toolId: string },
  connection: Connection,
): boolean {
  if (surfaceId === connection.surface.id) return true
  const tool = connection.gateway.crib.tool(toolId)
  return tool !== undefined && isOnSurface(tool, connection)
}
