import type { CatalogTool } from '../catalog/catalog-tool.js'
import type { Shown } from './shown.js'

/**
 * Tools in the order in which they were sent before, then others in their own order, then those that were loaded one by
 * one. The list keeps its beginning, which a provider may have cached.
 */
export function orderTools(
  tools: readonly CatalogTool[],
  { order, loaded }: Pick<Shown, 'order' | 'loaded'>,
): readonly CatalogTool[] {
  if (order.length === 0 && loaded.size === 0) return tools
  const rest = new Map(tools.map((tool) => [tool.toolId, tool]))
  const take = (toolId: string): CatalogTool | [] => {
    const tool = rest.get(toolId)
    rest.delete(toolId)
    return tool ?? []
  }
  const first = order.flatMap(take)
  const last = [...loaded].flatMap(take)
  return [...first, ...rest.values(), ...last]
}
