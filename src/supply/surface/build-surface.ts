import type { Catalog } from '../catalog/catalog.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import { judgeVisibility, type CompiledRequest, type Visibility } from './filters.js'
import { compileNamePatterns } from './name-pattern.js'
import type { SurfaceRequest } from './surface-request.js'

export interface HiddenTool {
  tool: CatalogTool
  visibility: Exclude<Visibility, { standing: 'loaded' }>
}

/** What one caller sees at one revision of the catalog. */
export interface BuiltSurface {
  request: SurfaceRequest
  catalogRevision: number
  loaded: readonly CatalogTool[]
  hidden: readonly HiddenTool[]
  /** Requirements that no loaded tool meets. */
  capabilityGaps: readonly string[]
  visibilityOf(tool: CatalogTool): Visibility
}

/** One pass over the catalog; a filter costs the same whether it was seen before or not. */
export function buildSurface(catalog: Catalog, request: SurfaceRequest): BuiltSurface {
  const compiled = compileRequest(request)
  const loaded: CatalogTool[] = []
  const hidden: HiddenTool[] = []
  const visibilities = new Map<CatalogTool, Visibility>()
  for (const tool of catalog.list()) {
    const visibility = judgeVisibility(tool, compiled)
    if (visibility.standing === 'loaded') {
      loaded.push(tool)
    } else {
      hidden.push({ tool, visibility })
      visibilities.set(tool, visibility)
    }
  }
  return {
    request,
    catalogRevision: catalog.revision,
    loaded,
    hidden,
    capabilityGaps: findGaps(request, loaded),
    visibilityOf: (tool) => visibilities.get(tool) ?? { standing: 'loaded' },
  }
}

function compileRequest(request: SurfaceRequest): CompiledRequest {
  const everything = (): boolean => true
  const nothing = (): boolean => false
  const { include, exclude, load, selectionPolicy, defaultToolChoice } = request
  const chosen = typeof defaultToolChoice === 'object' ? [defaultToolChoice.tool] : undefined
  const named = selectionPolicy?.kind === 'only' ? selectionPolicy.tools : undefined
  const isNamed = named ? compileNamePatterns(named) : everything
  const isChosen = chosen ? compileNamePatterns(chosen) : everything
  return {
    request,
    platform: request.platform ?? process.platform,
    skills: new Set(request.skills),
    features: new Set(request.features),
    credentials: new Set(request.credentials),
    isIncluded: include ? compileNamePatterns(include) : everything,
    isExcluded: exclude && exclude.length > 0 ? compileNamePatterns(exclude) : nothing,
    isSelectable: (tool) => isNamed(tool) && isChosen(tool),
    isLoaded: load ? compileNamePatterns(load) : nothing,
  }
}

function findGaps({ capabilityRequirements }: SurfaceRequest, loaded: readonly CatalogTool[]): string[] {
  if (!capabilityRequirements || capabilityRequirements.length === 0) return []
  const missing = new Set(capabilityRequirements)
  for (const { draft } of loaded) {
    for (const capability of draft.capabilityRefs) missing.delete(capability)
    if (missing.size === 0) break
  }
  return [...missing]
}
