import type { Redactor } from '../../redaction/redactor.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { ToolSearch } from '../../search/tool-search.js'
import type { BuiltSurface } from '../../surfaces/build-surface.js'
import { isDiscoveryTool } from '../../surfaces/discovery-tool.js'
import { toSearchResult, type SurfaceSearchResult } from './to-search-result.js'

export interface SearchParts {
  search: ToolSearch
  redactor: Redactor
  /** How well the caller knows a tool, from 0 to 1. */
  familiarity(toolId: string): number
  /** Who is still connecting. */
  pending: readonly string[]
}

export interface SearchOptions {
  /** How many matches at most; 5 unless said. */
  limit?: number | undefined
}

const DEFAULT_LIMIT = 5
const MAX_LIMIT = 100

/** Throws one sentence where nothing could be searched for. */
export function checkSearch(query: unknown, { limit }: SearchOptions = {}): void {
  if (typeof query !== 'string' || query.trim() === '') {
    throw new TypeError(
      'surface.search takes a text that says what the tool should do, or "select:" and the names of tools.',
    )
  }
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT))
    throw new TypeError(`surface.search: "limit" must be a whole number from 1 to ${MAX_LIMIT}.`)
}

/** Searches what a surface lets its caller find. All else is as if it did not exist. */
export async function searchSurface(
  { search, redactor, familiarity, pending }: SearchParts,
  built: BuiltSurface,
  query: string,
  { limit = DEFAULT_LIMIT }: SearchOptions,
): Promise<SurfaceSearchResult> {
  const mayFind = (tool: CatalogTool): boolean => isFindable(tool, built)
  const view = { key: built, mayFind, familiarityOf: (toolId: string) => familiarity(toolId) }
  const answer = await search.search(query, { view, limit })
  const clean = (text: string): string => redactor.text(text)
  return toSearchResult(answer, { query, built, pendingProviders: pending, clean })
}

function isFindable(tool: CatalogTool, built: BuiltSurface): boolean {
  const { standing } = built.visibilityOf(tool)
  return (standing === 'loaded' || standing === 'deferred') && !isDiscoveryTool(tool)
}
