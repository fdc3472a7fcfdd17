import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import { providerName } from '../../../catalog/provider-name.js'

/** Finds a server's tool by its name in "toolcrib serve", or by its id without the kind of source. */
export function findServedTool(tools: readonly CatalogTool[], name: string): CatalogTool | undefined {
  const found = tools.filter(({ draft: { provider, name: own } }) => {
    if (!provider) return false
    const short = `${provider.key}.${own}`
    return short === name || providerName(short) === name
  })
  return found.length === 1 ? found[0] : undefined
}
