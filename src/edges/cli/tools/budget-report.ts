import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import type { BuiltSurface } from '../../../surfaces/build-surface.js'
import type { DeferralDecision } from '../../../surfaces/decide-deferral.js'
import { surfaceCosts } from '../../../surfaces/preview/surface-costs.js'
import { COST_ENCODING, type CostOf } from '../../../surfaces/tool-cost.js'

/** Where the budget comes from. */
export type BudgetOrigin = 'option' | 'config' | 'default'

export interface Budget {
  tokens: number
  origin: BudgetOrigin
}

export interface ToolCostRow {
  tool_id: string
  tokens: number
  visibility: 'loaded' | 'deferred'
}

/** The cost of the tools of a surface, in the form of the JSON output. */
export interface BudgetReport {
  encoding: typeof COST_ENCODING
  budget_tokens: number
  budget_origin: BudgetOrigin
  decision: DeferralDecision['decision']
  /** All available tools, if none were deferred. */
  total_tokens: number
  /** The listed tools, with the tools that find the others. */
  loaded_tokens: number
  deferred_tokens: number
  /** The discovery tools, and their cost. */
  discovery_tools: readonly string[]
  discovery_tokens: number
  saved_tokens: number
  /** Without the discovery tools; the most expensive first. */
  tools: readonly ToolCostRow[]
}

export function toBudgetReport(
  surface: BuiltSurface,
  { budget, costOf }: { budget: Budget; costOf: CostOf },
): BudgetReport {
  const rowsOf = (tools: readonly CatalogTool[], visibility: ToolCostRow['visibility']): ToolCostRow[] =>
    tools.map((tool) => ({ tool_id: tool.toolId, tokens: costOf(tool), visibility }))
  const costs = surfaceCosts(surface, costOf)
  return {
    encoding: COST_ENCODING,
    budget_tokens: budget.tokens,
    budget_origin: budget.origin,
    decision: surface.deferral!.decision,
    total_tokens: costs.totalTokens,
    loaded_tokens: costs.loadedTokens,
    deferred_tokens: costs.deferredTokens,
    discovery_tools: costs.discovery.map(({ toolId }) => toolId),
    discovery_tokens: costs.discoveryTokens,
    saved_tokens: costs.savedTokens,
    tools: [...rowsOf(costs.ordinary, 'loaded'), ...rowsOf(surface.deferred, 'deferred')].sort(
      (a, b) => b.tokens - a.tokens || (a.tool_id < b.tool_id ? -1 : 1),
    ),
  }
}
