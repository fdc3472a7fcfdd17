import type { Redactor } from '../../redaction/redactor.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { ToolSearch } from '../../search/tool-search.js'
import type { BuiltSurface } from '../../surfaces/build-surface.js'
import { isDiscoveryTool } from '../../surfaces/discovery-tool.js'
import { toSearchResult, type SurfaceSearchResult } from './to-search-result.js'

export interface SearchParts {
  search: ToolSearch
  redactor: Redactor
  /** How often the caller recently used a tool, from 0 to 1. */
  recentUse(toolId: string): number
  /** The providers that are still connecting. */
  pending: readonly string[]
}

export interface SearchOptions {
  /** The maximum number of matches. Default: 5. */
  limit?: number | undefined
}

const DEFAULT_LIMIT = 5
const MAX_LIMIT = 100

/** Throws a one-sentence error for an invalid query. */
export function checkSearch(query: unknown, { limit }: SearchOptions = {}): void {
  if (typeof query !== 'string' || query.trim() === '') {
    throw new TypeError(
      'surface.search takes a text that says what the tool should do, or "select:" and the names of tools.',
    )
  }
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT))
    throw new TypeError(`surface.search: "limit" must be a whole number from 1 to ${MAX_LIMIT}.`)
}

/** Searches the tools that a caller may find. Other tools leave no trace in the result. */
export async function searchSurface(
  { search, redactor, recentUse, pending }: SearchParts,
  built: BuiltSurface,
  query: string,
  { limit = DEFAULT_LIMIT }: SearchOptions,
): Promise<SurfaceSearchResult> {
  const mayFind = (tool: CatalogTool): boolean => isFindable(tool, built)
  const view = { key: built, mayFind, usageOf: (toolId: string) => recentUse(toolId) }
  const answer = await search.search(query, { view, limit })
  const clean = (text: string): string => redactor.text(text)
  return toSearchResult(answer, { query, built, pendingProviders: pending, clean })
}

function isFindable(tool: CatalogTool, built: BuiltSurface): boolean {
  const { state } = built.visibilityOf(tool)
  return (state === 'loaded' || state === 'deferred') && !isDiscoveryTool(tool)
}
