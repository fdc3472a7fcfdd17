import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import type { SearchOptions, SearchParts } from './search-surface.js'
import type { SurfaceSearchResult } from './to-search-result.js'
import type { BuiltSurface } from '../../surfaces/build-surface.js'

/** What a search needs of a surface. */
export interface SearchedSurface {
  readonly request: SurfaceRequest
  search(query: string, options: SearchOptions): Promise<SurfaceSearchResult>
  load(names: readonly string[]): Promise<{ loaded: readonly string[]; already: readonly string[] }>
}

/** Search for a surface, and the tools through which its caller searches. */
export interface SurfaceDiscovery {
  /** Adds the search tools to the catalog if such a surface may defer tools. */
  offerFor(request: SurfaceRequest): void
  /** Records which surface a built surface belongs to. */
  remember(built: BuiltSurface, surface: SearchedSurface): void
  search(
    built: BuiltSurface,
    query: string,
    options: SearchOptions & Pick<SearchParts, 'recentUse'>,
  ): Promise<SurfaceSearchResult>
}
