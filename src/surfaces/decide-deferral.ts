export interface DeferralFacts {
  /** What could be up front, and what each takes. The tool that finds the others is not among them. */
  tools: readonly { readonly toolId: string; readonly tokens: number }[]
  budgetTokens: number
  /** Ids that stay up front whatever they cost. */
  always: ReadonlySet<string>
  /** Ids that are never up front unless they were asked for: by the request, or by the tools themselves. */
  never: ReadonlySet<string>
  /** Ids that the caller names, or that the conversation has been shown. */
  asked: ReadonlySet<string>
  /** Ids that can be called without being on the list: found before, and shown in the conversation. */
  offList?: ReadonlySet<string>
  /** Ids that the caller used lately, the last one first. */
  recent: readonly string[]
  /** What the tool that finds the others takes; 0 where there is none. */
  discoveryTokens: number
  /** It was sent before: its price is paid. */
  isDiscoverySent?: boolean
}

export const deferralDecisions = ['within_budget', 'deferred', 'no_gain'] as const

export interface DeferralDecision {
  decision: (typeof deferralDecisions)[number]
  /** Ids that are not up front, those of `never` among them. */
  deferred: ReadonlySet<string>
  totalTokens: number
  /** What is up front, with the tool that finds the others. */
  loadedTokens: number
  deferredTokens: number
  savedTokens: number
  /** Why what stays does, where anything had to go. */
  kept: { always: number; asked: number; recent: number }
}

/** Which tools stay out of the prompt. The same facts give the same answer. */
export function decideDeferral(facts: DeferralFacts): DeferralDecision {
  const { tools, budgetTokens, always, never, asked, discoveryTokens } = facts
  const isUpFront = (toolId: string): boolean => !never.has(toolId) || asked.has(toolId)
  const upFront = tools.filter(({ toolId }) => isUpFront(toolId))
  const kept = { always: 0, asked: 0, recent: 0 }
  // Where something is to be found in any case, what finds it is on the list in any case.
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
  // The tool that finds the others has its price too, once.
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
  // Where there is nothing to find, nothing has to find it.
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
