import type { Catalog } from '../catalog/catalog.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import type { SearchAnswer, SearchView } from './tool-search.js'

/** More names at once than anybody means; what is beyond is missing. */
const MAX_NAMES = 100

/** The tools of these very names. What may not be found is missing, like what is not there. */
export function selectTools(
  catalog: Catalog,
  names: readonly string[],
  view: SearchView,
): Pick<SearchAnswer, 'hits' | 'missingNames'> {
  const found = new Map<string, { tool: CatalogTool; name: string }>()
  const missingNames: string[] = []
  for (const name of names.slice(0, MAX_NAMES)) {
    const tools = resolveAll(catalog, name, view)
    if (tools.length === 0) missingNames.push(name)
    for (const tool of tools) if (!found.has(tool.toolId)) found.set(tool.toolId, { tool, name })
  }
  missingNames.push(...names.slice(MAX_NAMES))
  const hits = [...found.values()].map(({ tool, name }) => ({ tool, score: 1, reason: `named "${name}"` }))
  return { hits, missingNames }
}

function resolveAll(catalog: Catalog, name: string, view: SearchView): CatalogTool[] {
  const mayFind = (tool: CatalogTool): boolean => view.mayFind(tool)
  const resolved = catalog.resolve(name, mayFind)
  if (resolved && 'found' in resolved) return mayFind(resolved.found) ? [resolved.found] : []
  return resolved && 'ambiguous' in resolved ? resolved.ambiguous.filter(mayFind) : []
}
