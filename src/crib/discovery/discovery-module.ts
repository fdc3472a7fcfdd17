import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { toolFailure } from '../../pipeline/failures/describe-failure.js'
import type { Discovery } from '../../pipeline/discovery.js'
import { OWN_SOURCE } from '../../catalog/name-index.js'
import type { ToolDraft } from '../../catalog/tool-draft.js'
import { createToolSearch } from '../../search/create-tool-search.js'
import { findSentencePackages } from '../../search/meaning/sentence-model.js'
import type { ToolSearch } from '../../search/tool-search.js'
import type { BuiltSurface } from '../../surfaces/build-surface.js'
import type { DeferralWay } from '../../surfaces/deferral-request.js'
import { mayDefer } from '../../surfaces/may-defer.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import { toWireTool } from '../../surfaces/to-wire-tool.js'
import type { CribModule } from '../assemble.js'
import type { CatalogPort } from '../catalog/catalog-module.js'
import type { SourcesPort } from '../catalog/sources-module.js'
import { storedAnalyses } from '../catalog/stored-analyses.js'
import type { OptionsPort, RecordPort } from '../record-module.js'
import { afterLoading } from './after-loading.js'
import { discoveryToolsFor } from './discovery-tools-for.js'
import { pendingOn } from './pending-on.js'
import { searchSurface } from './search-surface.js'
import { searchTool } from './search-tool.js'
import type { SurfaceSearchResult } from './to-search-result.js'
import type { SearchedSurface, SurfaceDiscovery } from './surface-discovery.js'

export interface DiscoveryPort {
  readonly discovery: Discovery & SurfaceDiscovery
}

/** Lets agents find and call tools that are not in their prompt. */
export function openDiscovery({
  options,
  catalog,
  writer,
  redactor,
  sources,
  journal,
  now,
}: OptionsPort & RecordPort & CatalogPort & SourcesPort): CribModule<DiscoveryPort> {
  const sentences = options.search?.sentences ?? false
  // Throws if the model for sentences is not installed.
  if (sentences) findSentencePackages()
  const kept = storedAnalyses({ journal, redactor, now })
  // Weak: a surface that no caller holds is not retained for its searches.
  const surfaces = new WeakMap<BuiltSurface, SearchedSurface>()
  let engine: ToolSearch | undefined
  const offered = new Set<ToolDraft>()
  let looked = -1

  function offer(tool: ToolDraft): void {
    if (offered.has(tool)) return
    offered.add(tool)
    // A host may have a tool of its own under this name: then that one is used.
    writer.add([tool], OWN_SOURCE).catch(() => {})
  }

  function offerFor({ deferral }: SurfaceRequest): void {
    if (deferral) for (const tool of discoveryToolsFor(deferral)) offer(tool)
    if (offered.has(searchTool) || looked === catalog.revision) return
    looked = catalog.revision
    if (catalog.list().some(mayDefer)) offer(searchTool)
  }

  const discovery: Discovery & SurfaceDiscovery = {
    offerFor,
    async findTools(built, query, options) {
      const surface = surfaces.get(built)
      // The surface of a resumed call is not open in this process.
      if (!surface)
        throw toolFailure('dependency_unavailable', 'The surface of this search is gone; search again.')
      const found = await surface.search(query, options)
      const way = surface.request.deferral?.way ?? 'load'
      const tools = found.matches.flatMap((toolId) => catalog.get(toolId) ?? [])
      const upFront = tools.filter((tool) => isUpFront(tool, built))
      const others = tools.filter((tool) => !upFront.includes(tool))
      const likely = likelyOf(found)
      const fitting = fitDefinitions(
        others.filter(({ toolId }) => likely.has(toolId)),
        way,
      )
      const { loaded, already } = await surface.load([...upFront, ...fitting].map(({ toolId }) => toolId))
      const ready = [...loaded, ...already]
      return afterLoading(found, {
        ready,
        way,
        upFront,
        fitting,
        leftOut: others.filter((tool) => !fitting.includes(tool)),
      })
    },
    remember: (built, surface) => void surfaces.set(built, surface),
    search(built, query, { limit, recentUse }) {
      engine ??= createToolSearch({ catalog, kept, parts: { sentences } })
      const pending = pendingOn(built, sources.pending())
      return searchSurface({ search: engine, redactor, recentUse, pending }, built, query, { limit })
    },
  }
  // Resolves when the analyses of the search are written.
  return { port: { discovery }, stop: () => engine?.close() }
}

/** A loaded tool costs tokens in every later prompt: less likely ones are only named. */
const LIKELY_SHARE = 0.5

function likelyOf({ toolcrib: { candidates } }: SurfaceSearchResult): ReadonlySet<string> {
  const best = Math.max(0, ...candidates.map(({ score }) => score))
  return new Set(candidates.filter(({ score }) => score >= LIKELY_SHARE * best).map(({ tool_id }) => tool_id))
}

/**
 * How many characters of definitions one search may add to a prompt. A text result can name the tools that are left for
 * another search; a provider that loads by itself accepts definitions only, so it gets more.
 */
const MAX_CHARS: Readonly<Record<DeferralWay, number>> = { pair: 20_000, load: 200_000, native: 200_000 }

/** The best matches whose definitions fit; the first always fits. */
function fitDefinitions(found: readonly CatalogTool[], way: DeferralWay): readonly CatalogTool[] {
  let chars = 0
  const end = found.findIndex((tool, place) => {
    chars += JSON.stringify(toWireTool(tool)).length
    return place > 0 && chars > MAX_CHARS[way]
  })
  return end === -1 ? found : found.slice(0, end)
}

/** Whether a model has the tool's definition without a search. */
function isUpFront(tool: CatalogTool, { visibilityOf, isOnList, shown }: BuiltSurface): boolean {
  return visibilityOf(tool).state === 'loaded' && isOnList(tool) && !shown.loaded.has(tool.toolId)
}
