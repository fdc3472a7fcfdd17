import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { DeferralWay } from '../../surfaces/deferral-request.js'
import { toWireTool } from '../../surfaces/to-wire-tool.js'
import type { FoundTool, FoundTools } from './found-tools.js'
import { nextAction } from './next-action.js'
import type { SearchCandidate } from './search-candidate.js'
import type { SurfaceSearchResult } from './to-search-result.js'

/** The outcome of loading the tools that were found. */
export interface Loading {
  /** Ids of those that can be called now. */
  ready: readonly string[]
  way: DeferralWay
  /** Already in the prompt before the search. */
  upFront: readonly CatalogTool[]
  fitting: readonly CatalogTool[]
  /** Not loaded: less likely than the others, or their definitions are too long together. */
  leftOut: readonly CatalogTool[]
}

/** The result of a search after its matches were loaded. */
export function afterLoading(
  found: SurfaceSearchResult,
  { ready, way, upFront, fitting, leftOut }: Loading,
): FoundTools {
  const isReady = new Set(ready)
  const candidates = found.toolcrib.candidates.map((candidate): SearchCandidate =>
    isReady.has(candidate.tool_id)
      ? { ...candidate, schema_visibility: 'loaded', loading_state: 'loaded' }
      : candidate,
  )
  return {
    ...found,
    next_action: nextAction({
      // Omitted tools can be loaded later; loaded ones can be called now.
      matches: (ready.length > 0 ? candidates.filter(({ tool_id }) => isReady.has(tool_id)) : candidates).map(
        ({ loading_state }) => loading_state,
      ),
      pendingProviders: found.pending_providers ?? [],
    }),
    toolcrib: {
      ...found.toolcrib,
      candidates,
      way,
      loaded: found.matches.filter((toolId) => isReady.has(toolId)),
      up_front: upFront.map(({ toolId }) => toolId),
      left_out: leftOut.map(({ toolId }) => toolId),
      // With the way `load` the model sees them in its list of tools.
      ...(way !== 'load' && {
        tools: fitting.filter(({ toolId }) => isReady.has(toolId)).map(definitionOf),
      }),
    },
  }
}

function definitionOf(tool: CatalogTool): FoundTool {
  const { strict } = tool.draft.input
  return { ...toWireTool(tool), ...(strict !== undefined && { strict }) }
}
