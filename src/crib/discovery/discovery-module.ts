import { toolFailure } from '../../pipeline/failures/describe-failure.js'
import type { Discovery } from '../../pipeline/discovery.js'
import type { Redactor } from '../../redaction/redactor.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { ToolDraft } from '../../catalog/tool-draft.js'
import { createToolSearch } from '../../search/create-tool-search.js'
import type { KeptAnalyses } from '../../search/kept-analyses.js'
import { findSentencePackages } from '../../search/meaning/sentence-model.js'
import type { ToolSearch } from '../../search/tool-search.js'
import type { BuiltSurface } from '../../surfaces/build-surface.js'
import { mayDefer } from '../../surfaces/may-defer.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import { afterLoading } from './after-loading.js'
import { discoveryToolsFor } from './discovery-tools-for.js'
import { fitDefinitions } from './fit-definitions.js'
import { isUpFront } from './is-up-front.js'
import { pendingOn } from './pending-on.js'
import { searchSurface, type SearchOptions, type SearchParts } from './search-surface.js'
import { searchTool } from './search-tool.js'
import type { SurfaceSearchResult } from './to-search-result.js'

/** A surface as far as a search goes on it. */
export interface SearchedSurface {
  readonly request: SurfaceRequest
  search(query: string, options: SearchOptions): Promise<SurfaceSearchResult>
  load(names: readonly string[]): Promise<{ loaded: readonly string[]; already: readonly string[] }>
}

/** What a surface needs to be searched, and to have the tools by which its caller does so. */
export interface SurfaceDiscovery {
  /** Where such a surface may keep tools out of the prompt, the tools that find them are in the catalog from here on. */
  offerFor(request: SurfaceRequest): void
  /** Whose calls belong to which surface. */
  remember(built: BuiltSurface, surface: SearchedSurface): void
  search(
    built: BuiltSurface,
    query: string,
    options: SearchOptions & Pick<SearchParts, 'familiarity'>,
  ): Promise<SurfaceSearchResult>
}

/** Sees to it that agents find and call what their prompt does not hold. */
export interface DiscoveryModule extends SurfaceDiscovery {
  readonly port: Discovery
  /** Ends when what the search keeps is written. */
  close(): Promise<void>
}

export interface DiscoveryParts {
  catalog: Catalog
  redactor: Redactor
  /** Brings a tool of our own into the catalog: at once, and soon after into the log. */
  add(tool: ToolDraft): Promise<unknown>
  pendingProviders(): readonly string[]
  /** Where search keeps what it worked out of tools. */
  kept?: KeptAnalyses | undefined
  /** Whether sentences are compared too; throws where their model is not installed. */
  sentences?: boolean | undefined
}

export function createDiscovery({
  catalog,
  redactor,
  add,
  pendingProviders,
  kept,
  sentences = false,
}: DiscoveryParts): DiscoveryModule {
  if (sentences) findSentencePackages()
  // Weak: a surface that nobody holds any more is not kept for its searches.
  const surfaces = new WeakMap<BuiltSurface, SearchedSurface>()
  let engine: ToolSearch | undefined
  const offered = new Set<ToolDraft>()
  let looked = -1

  function offer(tool: ToolDraft): void {
    if (offered.has(tool)) return
    offered.add(tool)
    // A host may have a tool of its own under this name: then that is the one.
    add(tool).catch(() => {})
  }

  function offerFor({ deferral }: SurfaceRequest): void {
    if (deferral) for (const tool of discoveryToolsFor(deferral)) offer(tool)
    if (offered.has(searchTool) || looked === catalog.revision) return
    looked = catalog.revision
    if (catalog.list().some(mayDefer)) offer(searchTool)
  }

  return {
    port: {
      offerFor,
      async findTools(built, query, options) {
        const surface = surfaces.get(built)
        // One that another process began has nobody here whose list could grow.
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
    },
    offerFor,
    remember: (built, surface) => void surfaces.set(built, surface),
    search(built, query, { limit, familiarity }) {
      engine ??= createToolSearch({ catalog, kept, parts: { sentences } })
      const pending = pendingOn(built, pendingProviders())
      return searchSurface({ search: engine, redactor, familiarity, pending }, built, query, { limit })
    },
    close: async () => engine?.close(),
  }
}

/** A tool that is loaded is paid for in every prompt after it: the less likely ones are only named. */
const LIKELY_SHARE = 0.5

function likelyOf({ toolcrib: { candidates } }: SurfaceSearchResult): ReadonlySet<string> {
  const best = Math.max(0, ...candidates.map(({ score }) => score))
  return new Set(candidates.filter(({ score }) => score >= LIKELY_SHARE * best).map(({ tool_id }) => tool_id))
}
