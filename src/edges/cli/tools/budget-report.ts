import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import type { BuiltSurface } from '../../../surfaces/build-surface.js'
import type { DeferralDecision } from '../../../surfaces/decide-deferral.js'
import { isDiscoveryTool } from '../../../surfaces/discovery-tool.js'
import { COST_ENCODING, type CostOf } from '../../../surfaces/tool-cost.js'

/** Where a budget was found. */
export type BudgetOrigin = 'option' | 'config' | 'default'

export interface Budget {
  tokens: number
  origin: BudgetOrigin
}

export interface ToolCostRow {
  tool_id: string
  tokens: number
  standing: 'loaded' | 'deferred'
}

/** What the tools of a surface cost, for programs as it is. */
export interface BudgetReport {
  encoding: typeof COST_ENCODING
  budget_tokens: number
  budget_origin: BudgetOrigin
  decision: DeferralDecision['decision']
  /** All tools that can be had, were they all up front. */
  total_tokens: number
  /** What is up front, with the tools that find the others. */
  loaded_tokens: number
  deferred_tokens: number
  /** What leads to the deferred tools, and what that takes. */
  discovery_tools: readonly string[]
  discovery_tokens: number
  saved_tokens: number
  /** Without those that lead to others; the most expensive first. */
  tools: readonly ToolCostRow[]
}

export function toBudgetReport(
  { loaded, deferred, deferral }: BuiltSurface,
  { budget, costOf }: { budget: Budget; costOf: CostOf },
): BudgetReport {
  const sum = (tools: readonly CatalogTool[]): number =>
    tools.reduce((tokens, tool) => tokens + costOf(tool), 0)
  const rowsOf = (tools: readonly CatalogTool[], standing: ToolCostRow['standing']): ToolCostRow[] =>
    tools.map((tool) => ({ tool_id: tool.toolId, tokens: costOf(tool), standing }))
  const discovery = loaded.filter(isDiscoveryTool)
  const ordinary = loaded.filter((tool) => !isDiscoveryTool(tool))
  const [loadedTokens, deferredTokens, discoveryTokens] = [sum(ordinary), sum(deferred), sum(discovery)]
  return {
    encoding: COST_ENCODING,
    budget_tokens: budget.tokens,
    budget_origin: budget.origin,
    decision: deferral!.decision,
    total_tokens: loadedTokens + deferredTokens,
    loaded_tokens: loadedTokens + discoveryTokens,
    deferred_tokens: deferredTokens,
    discovery_tools: discovery.map(({ toolId }) => toolId),
    discovery_tokens: discoveryTokens,
    saved_tokens: deferredTokens - discoveryTokens,
    tools: [...rowsOf(ordinary, 'loaded'), ...rowsOf(deferred, 'deferred')].sort(
      (a, b) => b.tokens - a.tokens || (a.tool_id < b.tool_id ? -1 : 1),
    ),
  }
}
