import type { CatalogTool } from '../catalog/catalog-tool.js'
import { OWN_SOURCE } from '../catalog/name-index.js'

/** The tool that finds deferred tools. It is never deferred itself. */
export const DISCOVERY_TOOL_ID = 'tool.search'
/** Its name in the lists for models. */
export const DISCOVERY_NAME = 'tool__search'

/** The tool that calls found tools, where the list of tools never changes. */
export const CALL_TOOL_ID = 'tool.call'

/** Whether it is one of the crib's tools for finding and calling others; a host's tool may have the same name. */
export function isDiscoveryTool({ toolId, source }: CatalogTool): boolean {
  return source === OWN_SOURCE && (toolId === DISCOVERY_TOOL_ID || toolId === CALL_TOOL_ID)
}

/** The query that selects exactly this tool in a search. */
export function selectionRefOf({ providerName }: CatalogTool): string {
  return `select:${providerName}`
}
