import type { Catalog } from '../catalog/catalog.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import { judgeVisibility, type CompiledRequest, type Visibility } from './filters.js'
import { compileNamePatterns, type NameTest } from './name-pattern.js'
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
  /** How many tools are not loaded, by where they stand and why. */
  counts: { deferred: number; blocked: number; excluded: number; byReason: Record<string, number> }
  /** Requirements that no loaded tool meets. */
  capabilityGaps: readonly string[]
  visibilityOf(tool: CatalogTool): Visibility
  /** The tools that are not loaded, found again when somebody wants to see them. */
  hidden(): HiddenTool[]
}

/** The sentence about the rule, if any, that denies a caller every call of a tool. */
export type Denies = (tool: CatalogTool, request: SurfaceRequest) => string | undefined

/** One pass over the catalog; a filter costs the same whether it was seen before or not. */
export function buildSurface(catalog: Catalog, request: SurfaceRequest, denies?: Denies): BuiltSurface {
  const compiled = compileRequest(request, denies)
  const considered = catalog.list()
  const loaded: CatalogTool[] = []
  const counts = { deferred: 0, blocked: 0, excluded: 0, byReason: {} as Record<string, number> }
  for (const tool of considered) {
    const visibility = judgeVisibility(tool, compiled)
    if (visibility.standing === 'loaded') {
      loaded.push(tool)
    } else {
      counts[visibility.standing]++
      counts.byReason[visibility.reason] = (counts.byReason[visibility.reason] ?? 0) + 1
    }
  }
  const judged = new Map<CatalogTool, Visibility>()

  // Judged once per tool and surface: a rule that answers differently next time does so on the next surface.
  function visibilityOf(tool: CatalogTool): Visibility {
    let visibility = judged.get(tool)
    if (!visibility) judged.set(tool, (visibility = judgeVisibility(tool, compiled)))
    return visibility
  }

  return {
    request,
    catalogRevision: catalog.revision,
    loaded,
    counts,
    capabilityGaps: findGaps(request, loaded),
    visibilityOf,
    hidden: () =>
      considered.flatMap((tool) => {
        const visibility = visibilityOf(tool)
        return visibility.standing === 'loaded' ? [] : [{ tool, visibility }]
      }),
  }
}

/** Whether a surface that was asked for like this would load the tool. */
export function wouldLoad(tool: CatalogTool, request: SurfaceRequest, denies?: Denies): boolean {
  return judgeVisibility(tool, compileRequest(request, denies)).standing === 'loaded'
}

function compileRequest(request: SurfaceRequest, denies?: Denies): CompiledRequest {
  const { include, exclude, load, selectionPolicy, defaultToolChoice } = request
  const test = (names: readonly string[] | undefined): NameTest | undefined =>
    names && compileNamePatterns(names)
  return {
    request,
    platform: request.platform ?? process.platform,
    skills: new Set(request.skills),
    features: new Set(request.features),
    credentials: new Set(request.credentials),
    isIncluded: test(include),
    isExcluded: test(exclude),
    isSelectable: test(selectionPolicy?.kind === 'only' ? selectionPolicy.tools : undefined),
    isChosen: test(typeof defaultToolChoice === 'object' ? [defaultToolChoice.tool] : undefined),
    isLoaded: test(load),
    denies: denies && ((tool) => denies(tool, request)),
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
