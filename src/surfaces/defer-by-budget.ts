import type { CatalogTool } from '../catalog/catalog-tool.js'
import { decideDeferral, type DeferralDecision } from './decide-deferral.js'
import { DISCOVERY_TOOL_ID, isDiscoveryTool } from './discovery-tool.js'
import { isAlways, isAsked, isOffList, type CompiledRequest } from './filters.js'
import type { CostOf } from './tool-cost.js'

interface Candidates {
  /** The tools that would be in the prompt without a budget. */
  upFront: readonly CatalogTool[]
  /** The tools that are deferred in any case. */
  ownDeferred: readonly CatalogTool[]
}

/** Collects the facts for the budget's decision. Undefined without a budget. */
export function deferByBudget(
  { upFront, ownDeferred }: Candidates,
  on: CompiledRequest,
  costOf: CostOf,
): DeferralDecision | undefined {
  const budgetTokens = on.request.deferral?.budgetTokens
  if (budgetTokens === undefined) return undefined
  const discovery = upFront.filter(isDiscoveryTool)
  const tools = [...upFront, ...ownDeferred].filter((tool) => !isDiscoveryTool(tool))
  const idsOf = (some: readonly CatalogTool[]): Set<string> => new Set(some.map(({ toolId }) => toolId))
  return decideDeferral({
    tools: tools.map((tool) => ({ toolId: tool.toolId, tokens: costOf(tool) })),
    budgetTokens,
    always: idsOf(upFront.filter((tool) => isAlways(tool, on))),
    never: idsOf(ownDeferred),
    asked: idsOf(upFront.filter((tool) => isAsked(tool, on))),
    offList: idsOf(upFront.filter((tool) => isOffList(tool, on))),
    recent: on.shown.recent ?? [],
    discoveryTokens: discovery.reduce((sum, tool) => sum + costOf(tool), 0),
    isDiscoverySent: on.shown.order.includes(DISCOVERY_TOOL_ID),
  })
}
