import type { CatalogTool } from '../../catalog/catalog-tool.js'

/** The call of a tool as the input of the tool that calls others: by every name that leads to it. */
export function wrappedInputs(tool: CatalogTool, input: unknown): { name: string; arguments: unknown }[] {
  return resolvedNames(tool).map((name) => ({ name, arguments: input }))
}

/** Every name by which the resolver finds the tool: an alias must not slip past a gate. */
export function resolvedNames({ toolId, qualifiedName, providerName, draft }: CatalogTool): string[] {
  const aliases = draft.aliases.flatMap((alias) => [alias, `${draft.namespace}.${alias}`])
  return [qualifiedName, toolId, draft.name, ...aliases, providerName]
}
