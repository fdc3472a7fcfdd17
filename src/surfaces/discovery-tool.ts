import type { CatalogTool } from '../catalog/catalog-tool.js'
import { OWN_SOURCE } from '../catalog/name-index.js'

/** The tool by which a caller finds the tools that are deferred. It is never deferred itself. */
export const DISCOVERY_TOOL_ID = 'tool.search'
/** As it stands on the lists that models get. */
export const DISCOVERY_NAME = 'tool__search'

/** The tool by which a caller calls what it found, where its list of tools never changes. */
export const CALL_TOOL_ID = 'tool.call'

/** One of our own that lead to other tools; a host's own tool may have such a name too. */
export function isDiscoveryTool({ toolId, source }: CatalogTool): boolean {
  return source === OWN_SOURCE && (toolId === DISCOVERY_TOOL_ID || toolId === CALL_TOOL_ID)
}

/** What a caller passes to the search to get exactly this tool. */
export function selectionRefOf({ providerName }: CatalogTool): string {
  return `select:${providerName}`
}
