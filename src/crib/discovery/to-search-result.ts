import type { ToolSearchResult } from '../../contract/objects/tool-search-result.js'
import { SCHEMA_VERSION } from '../../contract/unions.js'
import type { SearchAnswer } from '../../search/tool-search.js'
import type { BuiltSurface } from '../../surfaces/build-surface.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { UNLISTED, type Visibility } from '../../surfaces/filters.js'
import { nextAction } from './next-action.js'
import { toCandidate, type SearchCandidate } from './search-candidate.js'

export interface SearchSaid {
  candidates: readonly SearchCandidate[]
  /** The nearest tools, if nothing matched. */
  near_misses: readonly SearchCandidate[]
}

/** The standard's record, with the confidence of each match in Toolcrib's own fields. */
export type SurfaceSearchResult = ToolSearchResult & { toolcrib: SearchSaid }

/** `clean` removes secrets: a query may contain anything. Ids stay unchanged, because callers use them. */
export function toSearchResult(
  { queryType, hits, nearMisses, missingNames }: SearchAnswer,
  {
    query,
    built,
    pendingProviders,
    clean,
  }: {
    query: string
    built: BuiltSurface
    pendingProviders: readonly string[]
    clean(text: string): string
  },
): SurfaceSearchResult {
  const candidatesOf = (some: SearchAnswer['hits']): SearchCandidate[] =>
    some.map((hit) => {
      const candidate = toCandidate(hit, visibilityOn(built, hit.tool))
      return { ...candidate, reason: clean(hit.reason), description: clean(candidate.description) }
    })
  const candidates = candidatesOf(hits)
  // Matches need no near misses: every word costs tokens in a prompt.
  const isAnswered = queryType === 'keyword' && hits.length > 0
  return {
    schema_version: SCHEMA_VERSION,
    query: clean(query),
    query_type: queryType,
    matches: candidates.map(({ tool_id }) => tool_id),
    total_deferred_tools: built.counts.deferred + built.unlisted.length,
    pending_providers: [...pendingProviders],
    missing_names: missingNames.map(clean),
    next_action: nextAction({
      matches: candidates.map(({ loading_state }) => loading_state),
      pendingProviders,
    }),
    toolcrib: { candidates, near_misses: candidatesOf(isAnswered ? [] : nearMisses) },
  }
}

/** Only tools on the list have their schemas in the prompt. */
function visibilityOn({ visibilityOf, isOnList }: BuiltSurface, tool: CatalogTool): Visibility {
  const visibility = visibilityOf(tool)
  return visibility.state === 'loaded' && !isOnList(tool) ? UNLISTED : visibility
}
