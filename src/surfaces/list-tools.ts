import type { CatalogTool } from '../catalog/catalog-tool.js'
import type { BuiltSurface } from './build-surface.js'
import { orderTools } from './order-tools.js'

export interface ListedTool {
  tool: CatalogTool
  /** Listed for the provider to find, not for the prompt. */
  isDeferred: boolean
}

/** The list that is sent to a model, by the way in which deferred tools reach it. It only grows at its end. */
export function listTools(built: BuiltSurface): readonly ListedTool[] {
  const { shown } = built
  const loaded = built.loaded.filter(built.isOnList)
  const inPrompt = (tool: CatalogTool): ListedTool => ({ tool, isDeferred: false })
  const isUpFront = ({ toolId }: CatalogTool): boolean => !shown.loaded.has(toolId)
  const way = built.request.deferral?.way ?? 'load'
  switch (way) {
    case 'load':
      return loaded.map(inPrompt)
    case 'pair':
      return loaded.filter(isUpFront).map(inPrompt)
    case 'native': {
      const base = new Set(loaded.filter(isUpFront))
      const all = [...loaded, ...built.deferred.filter(built.isOnList)].sort((a, b) =>
        a.toolId < b.toolId ? -1 : 1,
      )
      return orderTools(all, { order: shown.order, loaded: new Set() }).map((tool) => ({
        tool,
        isDeferred: !base.has(tool),
      }))
    }
  }
}
