import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { BuiltSurface } from '../../surfaces/build-surface.js'

/**
 * The tool and surface of a call. Set when the tool is resolved, and again if an approval finds that the tool has
 * changed.
 */
export interface ResolvedTool {
  surface: BuiltSurface
  tool: CatalogTool | undefined
  /** The tool through which this one was called, if it is another one: its rules apply too. */
  via?: CatalogTool | undefined
}
