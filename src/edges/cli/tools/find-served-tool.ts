import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import { providerName } from '../../../catalog/provider-name.js'

const PREFIX = 'mcp.'

/** The tool of a server by the name that clients of "toolcrib serve" know, or by its id without what all have. */
export function findServedTool(tools: readonly CatalogTool[], name: string): CatalogTool | undefined {
  const found = tools.filter(({ toolId }) => {
    if (!toolId.startsWith(PREFIX)) return false
    const rest = toolId.slice(PREFIX.length)
    return rest === name || providerName(rest) === name
  })
  return found.length === 1 ? found[0] : undefined
}
