import type { CatalogTool } from '../../catalog/catalog-tool.js'

/** The call as an input of the tool that calls other tools: once for every name of the called tool. */
export function wrappedInputs(tool: CatalogTool, input: unknown): { name: string; arguments: unknown }[] {
  return resolvedNames(tool).map((name) => ({ name, arguments: input }))
}

/** Every name by which the resolver finds the tool: an alias must not bypass a rule or a hook. */
export function resolvedNames({ toolId, qualifiedName, providerName, draft }: CatalogTool): string[] {
  const aliases = draft.aliases.flatMap((alias) => [alias, `${draft.namespace}.${alias}`])
  return [qualifiedName, toolId, draft.name, ...aliases, providerName]
}
