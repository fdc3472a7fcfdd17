import { providerName } from '../catalog/provider-name.js'
import type { ToolDraft } from '../catalog/tool-draft.js'

/** All names of a tool. */
export interface NamedTool {
  readonly toolId: string
  readonly providerName: string
  readonly draft: Pick<ToolDraft, 'namespace' | 'name' | 'aliases' | 'toolId'>
}

export type NameTest = (tool: NamedTool) => boolean

/** The names of a tool that is not in the catalog, without aliases. */
export function toNamedTool(namespace: string, name: string): NamedTool {
  const toolId = `${namespace}.${name}`
  return {
    toolId,
    providerName: providerName(toolId),
    draft: { namespace, name, aliases: [], toolId: undefined },
  }
}

/** Compiles names and patterns (`math.*`) to one test over all names of a tool. Exact names cost one look-up. */
export function compileNamePatterns(patterns: readonly string[]): NameTest {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const globs = patterns.filter((pattern) => pattern.includes('*')).map(toRegExp)
  // The provider name is computed on demand: only patterns that could match it are compared with it.
  const mayBeProviderName = patterns.some(
    (pattern) => /^[A-Za-z0-9_*-]+$/.test(pattern) && pattern.includes('_'),
  )
  const matches = (name: string): boolean => {
    if (exact.has(name)) return true
    for (const glob of globs) if (glob.test(name)) return true
    return false
  }
  return (tool) => {
    if (matches(tool.toolId)) return true
    const { namespace, name, aliases } = tool.draft
    if (exact.has(name)) return true
    for (const alias of aliases) if (exact.has(alias)) return true
    if (tool.draft.toolId !== undefined && matches(`${namespace}.${name}`)) return true
    return mayBeProviderName && matches(tool.providerName)
  }
}

// Consecutive `*` become one: each further one would multiply the ways to match.
function toRegExp(pattern: string): RegExp {
  const parts = pattern.split(/\*+/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}
