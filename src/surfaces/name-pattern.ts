import type { ToolDraft } from '../catalog/tool-draft.js'

/** All that a tool is called. */
export interface NamedTool {
  readonly toolId: string
  readonly providerName: string
  readonly draft: Pick<ToolDraft, 'namespace' | 'name' | 'aliases' | 'toolId'>
}

export type NameTest = (tool: NamedTool) => boolean

/** Names and patterns (`math.*`) as one test over everything a tool is called. Exact names cost one look-up. */
export function compileNamePatterns(patterns: readonly string[]): NameTest {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const globs = patterns.filter((pattern) => pattern.includes('*')).map(toRegExp)
  // The provider's name is made on demand; only patterns that could mean it are compared with it.
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

// Runs of `*` become one: each further one would multiply the ways to match.
function toRegExp(pattern: string): RegExp {
  const parts = pattern.split(/\*+/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}
