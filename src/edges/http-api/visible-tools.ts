import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { Visibility } from '../../surfaces/filters.js'
import { notFound } from './problem.js'
import { isReader } from './role-groups.js'
import type { ApiRequest } from './route.js'

/** The tools that a caller may know: all of the catalog for the server's own readers, otherwise those of its surface. */
export async function visibleTools(request: ApiRequest): Promise<readonly CatalogTool[]> {
  const { crib } = request.api
  const isVisible = await visibilityTest(request)
  return isVisible ? crib.tools().filter(isVisible) : crib.tools()
}

/** One of them, by any of its names. */
export async function findVisibleTool(request: ApiRequest, name: string): Promise<CatalogTool> {
  const isVisible = await visibilityTest(request)
  const tool = request.api.crib.tool(name)
  if (tool && (isVisible?.(tool) ?? true)) return tool
  throw notFound('There is no such tool; GET /tools lists what there is.')
}

async function visibilityTest(request: ApiRequest): Promise<((tool: CatalogTool) => boolean) | undefined> {
  const { api, tenant, identity } = request
  if (isReader(request)) {
    if (tenant === api.tenant) return undefined
    // Rules may hide tools from other tenants.
    const { visibilityOf } = api.crib.preview({ tenant })
    return (tool) => !isDenied(visibilityOf(tool))
  }
  const { visibilityOf } = (await api.surfaces.get(identity, {})).current()
  return (tool) => {
    const { state } = visibilityOf(tool)
    return state === 'loaded' || state === 'deferred'
  }
}

function isDenied(visibility: Visibility): boolean {
  return visibility.state !== 'loaded' && visibility.denial !== undefined
}
