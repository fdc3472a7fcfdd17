import type { CatalogTool } from '../catalog/catalog-tool.js'

/** Names and patterns (`math.*`) as one test over everything a tool is called. Exact names cost one look-up. */
export function compileNamePatterns(patterns: readonly string[]): (tool: CatalogTool) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const globs = patterns.filter((pattern) => pattern.includes('*')).map(toRegExp)
  return (tool) => {
    const matches = (name: string): boolean => exact.has(name) || globs.some((glob) => glob.test(name))
    if (matches(tool.toolId)) return true
    // The id is usually the qualified name; the rarer names are only made when the id did not match.
    const { namespace, name, aliases } = tool.draft
    return (
      (exact.size > 0 && (exact.has(name) || aliases.some((alias) => exact.has(alias)))) ||
      (tool.toolId !== `${namespace}.${name}` && matches(`${namespace}.${name}`)) ||
      (patterns.some((pattern) => pattern.includes('__')) && matches(tool.providerName))
    )
  }
}

// Runs of `*` become one: each further one would multiply the ways to match.
function toRegExp(pattern: string): RegExp {
  const parts = pattern.split(/\*+/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}
