import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { BuiltSurface } from '../../surfaces/build-surface.js'

/** Whether a model has the tool's definition without having searched for it. */
export function isUpFront(tool: CatalogTool, { visibilityOf, isOnList, shown }: BuiltSurface): boolean {
  return visibilityOf(tool).standing === 'loaded' && isOnList(tool) && !shown.loaded.has(tool.toolId)
}
