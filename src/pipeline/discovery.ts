import type { ToolSearchResult } from '../contract/objects/tool-search-result.js'
import type { BuiltSurface } from '../surfaces/build-surface.js'
import type { SurfaceRequest } from '../surfaces/surface-request.js'

/** How the tool that finds tools reaches what it searches. */
export interface Discovery {
  /** Where such a surface may keep tools out of the prompt, the tools that lead to them are in the catalog from here on. */
  offerFor(request: SurfaceRequest): void
  /** Searches among what the caller may find, and loads what was found. */
  findTools(
    surface: BuiltSurface,
    query: string,
    options: { limit?: number | undefined },
  ): Promise<ToolSearchResult>
}
