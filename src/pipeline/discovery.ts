import type { ToolSearchResult } from '../contract/objects/tool-search-result.js'
import type { BuiltSurface } from '../surfaces/build-surface.js'
import type { SurfaceRequest } from '../surfaces/surface-request.js'

/** How the discovery tool reaches the search. */
export interface Discovery {
  /** Adds the discovery tools to the catalog if such a surface may defer tools. */
  offerFor(request: SurfaceRequest): void
  /** Searches the tools that the caller may find, and loads the matches. */
  findTools(
    surface: BuiltSurface,
    query: string,
    options: { limit?: number | undefined },
  ): Promise<ToolSearchResult>
}
