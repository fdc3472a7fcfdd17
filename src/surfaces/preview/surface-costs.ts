import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { BuiltSurface } from '../build-surface.js'
import { isDiscoveryTool } from '../discovery-tool.js'
import type { CostOf } from '../tool-cost.js'

/** The tokens of the tools of a surface. */
export interface SurfaceCosts {
  /** All available tools, if none were deferred. */
  readonly totalTokens: number
  /** The listed tools, with the tools that find the others. */
  readonly loadedTokens: number
  readonly deferredTokens: number
  readonly savedTokens: number
  /** The discovery tools, and their cost. */
  readonly discovery: readonly CatalogTool[]
  readonly discoveryTokens: number
  /** The loaded tools without the discovery tools. */
  readonly ordinary: readonly CatalogTool[]
}

export function surfaceCosts(
  { loaded, deferred }: Pick<BuiltSurface, 'loaded' | 'deferred'>,
  costOf: CostOf,
): SurfaceCosts {
  const sum = (tools: readonly CatalogTool[]): number =>
    tools.reduce((tokens, tool) => tokens + costOf(tool), 0)
  const discovery = loaded.filter(isDiscoveryTool)
  const ordinary = loaded.filter((tool) => !isDiscoveryTool(tool))
  const [loadedTokens, deferredTokens, discoveryTokens] = [sum(ordinary), sum(deferred), sum(discovery)]
  return {
    totalTokens: loadedTokens + deferredTokens,
    loadedTokens: loadedTokens + discoveryTokens,
    deferredTokens,
    savedTokens: deferredTokens - discoveryTokens,
    discovery,
    discoveryTokens,
    ordinary,
  }
}
