export interface DeferralFacts {
  /** The candidates for the prompt with their costs, without the discovery tool. */
  tools: readonly { readonly toolId: string; readonly tokens: number }[]
  budgetTokens: number
  /** Ids that stay in the prompt at any cost. */
  always: ReadonlySet<string>
  /** Ids that are in the prompt only if requested: by the request's setting, or by the tools themselves. */
  never: ReadonlySet<string>
  /** Ids that the caller names, or that the conversation has been shown. */
  asked: ReadonlySet<string>
  /** Ids that can be called without being listed: found before, and shown in the conversation. */
  offList?: ReadonlySet<string>
  /** Ids that the caller used recently, the latest first. */
  recent: readonly string[]
  /** The cost of the discovery tool; 0 where there is none. */
  discoveryTokens: number
  /** The discovery tool was sent before: its cost is already counted. */
  isDiscoverySent?: boolean
}

export const deferralDecisions = ['within_budget', 'deferred', 'no_gain'] as const

export interface DeferralDecision {
  decision: (typeof deferralDecisions)[number]
  /** Ids that are not in the prompt, including those of `never`. */
  deferred: ReadonlySet<string>
  totalTokens: number
  /** The cost of the tools in the prompt, with the discovery tool. */
  loadedTokens: number
  deferredTokens: number
  savedTokens: number
  /** Why tools stay, where any had to be deferred. */
  kept: { always: number; asked: number; recent: number }
}

/** Decides which tools are deferred. Pure: the same facts give the same decision. */
export function decideDeferral(facts: DeferralFacts): DeferralDecision {
  const { tools, budgetTokens, always, never, asked, discoveryTokens } = facts
  const isUpFront = (toolId: string): boolean => !never.has(toolId) || asked.has(toolId)
  const upFront = tools.filter(({ toolId }) => isUpFront(toolId))
  const kept = { always: 0, asked: 0, recent: 0 }
  // If some tools are deferred anyway, the discovery tool is listed anyway.
  const inAnyCase =
    tools.some(({ toolId }) => !isUpFront(toolId)) || facts.isDiscoverySent ? discoveryTokens : 0
  if (sum(upFront) + inAnyCase <= budgetTokens)
    return outcome('within_budget', facts, { staying: upFront, kept })

  const wanted = new Set(facts.recent)
  const staying = new Set<DeferralFacts['tools'][number]>()
  for (const tool of upFront) {
    if (!always.has(tool.toolId) && !asked.has(tool.toolId)) continue
    staying.add(tool)
    kept[always.has(tool.toolId) ? 'always' : wanted.has(tool.toolId) ? 'recent' : 'asked']++
  }
  let left = budgetTokens - discoveryTokens - sum(staying)
  for (const tool of inOrder(upFront, facts.recent)) {
    if (staying.has(tool) || tool.tokens > left) continue
    staying.add(tool)
    kept.recent++
    left -= tool.tokens
  }
  // Deferring adds the cost of the discovery tool once.
  const price = discoveryTokens - inAnyCase
  const isGain = sum(staying) + price < sum(upFront)
  return isGain
    ? outcome('deferred', facts, { staying: [...staying], kept })
    : outcome('no_gain', facts, { staying: upFront, kept: { always: 0, asked: 0, recent: 0 } })
}

function outcome(
  decision: DeferralDecision['decision'],
  facts: DeferralFacts,
  { staying, kept }: { staying: DeferralFacts['tools']; kept: DeferralDecision['kept'] },
): DeferralDecision {
  const { tools, offList, discoveryTokens } = facts
  const ids = new Set(staying.map(({ toolId }) => toolId))
  const totalTokens = sum(tools)
  const listedTokens = sum(staying.filter(({ toolId }) => !offList?.has(toolId)))
  const deferred = new Set(tools.flatMap(({ toolId }) => (ids.has(toolId) ? [] : [toolId])))
  // Without deferred tools, the discovery tool is not needed.
  const isFinding = deferred.size > 0 || facts.isDiscoverySent === true || (offList?.size ?? 0) > 0
  const findingTokens = isFinding ? discoveryTokens : 0
  return {
    decision,
    deferred,
    totalTokens,
    loadedTokens: listedTokens + findingTokens,
    deferredTokens: totalTokens - listedTokens,
    savedTokens: totalTokens - listedTokens - findingTokens,
    kept,
  }
}

function inOrder<Tool extends { toolId: string }>(tools: readonly Tool[], ids: readonly string[]): Tool[] {
  const wanted = new Set(ids)
  const byId = new Map(tools.flatMap((tool) => (wanted.has(tool.toolId) ? [[tool.toolId, tool]] : [])))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

function sum(tools: Iterable<{ readonly tokens: number }>): number {
  let total = 0
  for (const { tokens } of tools) total += tokens
  return total
}
