import type { CatalogTool } from '../../supply/catalog/catalog-tool.js'
import type { BuiltSurface } from '../../supply/surface/build-surface.js'

/** Whether a model has the tool's definition without having searched for it. */
export function isUpFront(tool: CatalogTool, { visibilityOf, shown }: BuiltSurface): boolean {
  return visibilityOf(tool).standing === 'loaded' && !shown.loaded.has(tool.toolId)
}
