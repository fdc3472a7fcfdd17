import type { CatalogTool } from './catalog-tool.js'

/** The kinds of a tool's names, in order of precedence. */
export type NameKind = 'tool_id' | 'qualified_name' | 'provider_name' | 'bare_name' | 'alias'

export type Resolved =
  { found: CatalogTool; by: NameKind } | { ambiguous: CatalogTool[] } | { retired: Tombstone } | undefined

/** The identity of a removed tool, kept so that old records can still be resolved. */
export interface Tombstone {
  toolId: string
  namespace: string
  name: string
  providerName: string
  fingerprint: string
  /** Milliseconds. */
  retiredAt: number
}

export interface NameIndex {
  /** The tool, if any, that already has one of the names that must be unique. */
  holderOf(tool: CatalogTool): CatalogTool | undefined
  add(tool: CatalogTool): void
  remove(tool: CatalogTool): void
  bury(tombstone: Tombstone): void
  unbury(toolId: string): void
  /**
   * Resolves a name to a tool. A kind with higher precedence hides the kinds after it, so that no alias can take over
   * another tool's id. Among tools that share an alias or a bare name, those that `isVisible` decide.
   */
  resolve(name: string, isVisible?: (tool: CatalogTool) => boolean): Resolved
}

/** The source of the tools that the crib adds itself. */
export const OWN_SOURCE = 'toolcrib'

export function createNameIndex(): NameIndex {
  const byId = new Map<string, CatalogTool>()
  const shared = {
    qualified_name: new Map<string, Holders>(),
    provider_name: new Map<string, Holders>(),
    bare_name: new Map<string, Holders>(),
    alias: new Map<string, Holders>(),
  }
  const sharedKinds = Object.keys(shared) as (keyof typeof shared)[]
  const graves = new Map<string, Tombstone>()

  function namesOf(tool: CatalogTool, kind: keyof typeof shared): readonly string[] {
    switch (kind) {
      case 'qualified_name':
        // Usually the id itself: then one index is enough.
        return tool.qualifiedName === tool.toolId ? [] : [tool.qualifiedName]
      case 'provider_name':
        return [tool.providerName]
      case 'alias':
        return tool.draft.aliases.flatMap((alias) => [alias, `${tool.draft.namespace}.${alias}`])
      case 'bare_name':
        // A tool of the crib that is added on demand must not make a host's name ambiguous.
        return tool.source === OWN_SOURCE ? [] : [tool.draft.name]
    }
  }

  return {
    holderOf({ toolId, providerName }) {
      return (
        byId.get(toolId) ??
        byId.get(providerName) ??
        listOf(shared.provider_name.get(toolId))[0] ??
        listOf(shared.provider_name.get(providerName))[0]
      )
    },
    add(tool) {
      byId.set(tool.toolId, tool)
      for (const kind of sharedKinds) {
        for (const name of namesOf(tool, kind)) {
          const others = shared[kind].get(name)
          if (Array.isArray(others)) others.push(tool)
          else shared[kind].set(name, others ? [others, tool] : tool)
        }
      }
    },
    remove(tool) {
      byId.delete(tool.toolId)
      for (const kind of sharedKinds) {
        for (const name of namesOf(tool, kind)) {
          const rest = listOf(shared[kind].get(name)).filter((other) => other !== tool)
          if (rest.length > 0) shared[kind].set(name, rest.length === 1 ? rest[0]! : rest)
          else shared[kind].delete(name)
        }
      }
    },
    bury: (tombstone) => graves.set(tombstone.toolId, tombstone),
    unbury: (toolId) => graves.delete(toolId),
    resolve(name, isVisible) {
      const exact = byId.get(name)
      if (exact) return { found: exact, by: 'tool_id' }
      for (const kind of sharedKinds) {
        const candidates = shared[kind].get(name)
        if (candidates) return choose(listOf(candidates), kind, isVisible)
      }
      const retired = findGrave(graves, name)
      return retired && { retired }
    },
  }
}

/** The tools that share a name: mostly one, which needs no list. */
type Holders = CatalogTool | CatalogTool[]

function listOf(holders: Holders | undefined): CatalogTool[] {
  if (holders === undefined) return []
  return Array.isArray(holders) ? holders : [holders]
}

function choose(
  candidates: CatalogTool[],
  by: NameKind,
  isVisible: ((tool: CatalogTool) => boolean) | undefined,
): Resolved {
  if (candidates.length === 1) return { found: candidates[0]!, by }
  const visible = isVisible ? candidates.filter(isVisible) : candidates
  if (visible.length === 1) return { found: visible[0]!, by }
  return { ambiguous: visible.length > 0 ? visible : candidates }
}

function findGrave(graves: Map<string, Tombstone>, name: string): Tombstone | undefined {
  const exact = graves.get(name)
  if (exact) return exact
  for (const grave of graves.values()) {
    if (grave.providerName === name || `${grave.namespace}.${grave.name}` === name) return grave
  }
  return undefined
}
