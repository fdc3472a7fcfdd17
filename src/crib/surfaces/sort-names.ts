import type { Catalog } from '../../catalog/catalog.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { BuiltSurface } from '../../surfaces/build-surface.js'

/** The outcome for names that were to be loaded. All but `missing` are ids of tools. */
export interface LoadOutcome {
  loaded: string[]
  /** Loaded before. */
  already: string[]
  /** As given: names that are unknown, ambiguous or hidden from this caller. */
  missing: string[]
  /** The provider is still connecting; try again. */
  pending: string[]
}

/** Resolves each name within what this caller may see. */
export function sortNames(
  names: readonly string[],
  { visibilityOf, isOnList }: BuiltSurface,
  catalog: Catalog,
): { toLoad: CatalogTool[]; outcome: LoadOutcome } {
  if (!Array.isArray(names) || names.some((name) => typeof name !== 'string'))
    throw new TypeError('surface.load takes a list of tool names: surface.load(["mail.send"]).')
  const outcome: LoadOutcome = { loaded: [], already: [], missing: [], pending: [] }
  const toLoad = new Set<CatalogTool>()
  const isInReach = (tool: CatalogTool): boolean => {
    const { state } = visibilityOf(tool)
    return state === 'loaded' || state === 'deferred'
  }
  for (const name of new Set(names)) {
    const resolved = catalog.resolve(name, isInReach)
    const tool = resolved && 'found' in resolved ? resolved.found : undefined
    if (!tool || !isInReach(tool)) {
      outcome.missing.push(name)
      continue
    }
    const visibility = visibilityOf(tool)
    if (visibility.state === 'loaded' && isOnList(tool)) outcome.already.push(tool.toolId)
    else if ('pendingProvider' in visibility) outcome.pending.push(tool.toolId)
    else toLoad.add(tool)
  }
  outcome.loaded = [...toLoad].map(({ toolId }) => toolId)
  return { toLoad: [...toLoad], outcome }
}

/** The outcome after loading: some of the names to load are loaded now. */
export function outcomeNow(before: LoadOutcome, now: LoadOutcome): LoadOutcome {
  const isThere = new Set(now.already)
  const stillThere = (toolId: string): boolean => isThere.has(toolId)
  return { ...now, loaded: before.loaded.filter(stillThere), already: before.already.filter(stillThere) }
}
