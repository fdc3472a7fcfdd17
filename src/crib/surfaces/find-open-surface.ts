import type { DeferredToolRef } from '../../contract/objects/deferred-tool-ref.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { BuiltSurface, Denies } from '../../surfaces/build-surface.js'
import { canSearch } from '../../surfaces/can-search.js'
import { toDeferredRef } from '../../surfaces/to-deferred-ref.js'

/** Where a tool stands for a caller. What a rule hides from it is not there. */
export function findOpenSurface(
  name: string,
  built: BuiltSurface,
  { catalog, denies }: { catalog: Catalog; denies: Denies },
): DeferredToolRef | undefined {
  const mayKnow = (tool: CatalogTool): boolean => denies(tool, built.request) === undefined
  const resolved = catalog.resolve(name, mayKnow)
  if (!resolved || !('found' in resolved) || !mayKnow(resolved.found)) return undefined
  const { found } = resolved
  return toDeferredRef(found, built.visibilityOf(found), { isFindable: canSearch(built) })
}
