import type { Journal } from '../../storage/journal/journal.js'
import type { Catalog } from '../../catalog/catalog.js'
import { buildSurface, type Denies } from '../../surfaces/build-surface.js'
import { CALL_TOOL_ID, DISCOVERY_TOOL_ID, isDiscoveryTool } from '../../surfaces/discovery-tool.js'
import { DEFERRED } from '../../surfaces/filters.js'
import type { Shown } from '../../surfaces/shown.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import type { Agents } from '../catalog/agents.js'
import type { SurfaceDiscovery } from '../discovery/surface-discovery.js'
import { countAhead, loadCostOf, type CostOf } from '../../surfaces/tool-cost.js'

/** How many calls are read to find the tools that a caller used. */
const RECENT_CALLS = 200

export interface Loading {
  shown: Shown
  /** Absent without a budget: then costs are not computed. */
  costOf: CostOf | undefined
}

interface Parts {
  catalog: Catalog
  agents: Pick<Agents, 'resolve'>
  journal: Journal
  denies: Denies
  discovery: Pick<SurfaceDiscovery, 'offerFor'>
}

/** The slow steps before a surface can be built: computing the costs of tools, and reading what the caller used. */
export async function prepareLoading(
  { catalog, agents, journal, denies, discovery }: Parts,
  asked: SurfaceRequest,
  before: Shown,
): Promise<Loading> {
  const request = agents.resolve(asked)
  // Before costs are computed: the search tools have a cost too.
  discovery.offerFor(request)
  checkPair(request, catalog)
  const hasBudget = request.deferral?.budgetTokens !== undefined
  const costOf = hasBudget ? await loadCostOf() : undefined
  let shown = before
  const build = (more: { costOf?: CostOf | undefined } = {}, one = request) =>
    buildSurface(catalog, one, { denies, shown, ...more })
  if (costOf) {
    if (catalog.list().some(({ prepared }) => prepared.promptTokens === undefined)) {
      const { loaded, deferred } = build()
      await countAhead([...loaded, ...deferred], costOf)
    }
    // Unreadable calls count as none.
    if (shown.recent === undefined && build({ costOf }).deferral!.decision !== 'within_budget')
      shown = { ...shown, recent: await recentTools(journal, request).catch(() => []) }
  }
  if (request.load?.length)
    shown = withNamed(shown, catalog, build({ costOf }, { ...request, load: [] }), request.load)
  return { shown, costOf }
}

/** Throws a one-sentence error if deferred tools could never be called. */
function checkPair({ deferral }: SurfaceRequest, catalog: Catalog): void {
  if (deferral?.way !== 'pair') return
  const foreign = [DISCOVERY_TOOL_ID, CALL_TOOL_ID]
    .map(catalog.get)
    .find((tool) => tool && !isDiscoveryTool(tool))
  if (foreign) {
    throw new TypeError(
      `crib.surface: "deferral": the way "pair" needs ${foreign.toolId} for itself, and ${foreign.source} has a tool of that name; rename that one, or use the way "load".`,
    )
  }
}

/**
 * Tools that are only there because the caller names them were loaded in the conversation: they come after the others.
 */
function withNamed(
  shown: Shown,
  catalog: Catalog,
  { visibilityOf }: ReturnType<typeof buildSurface>,
  names: readonly string[],
): Shown {
  const named = names.flatMap((name) => {
    const resolved = catalog.resolve(name, (tool) => visibilityOf(tool) === DEFERRED)
    return resolved && 'found' in resolved && visibilityOf(resolved.found) === DEFERRED
      ? [resolved.found.toolId]
      : []
  })
  return { ...shown, loaded: new Set([...shown.loaded, ...named]) }
}

/** Ids of tools that this caller used successfully, the latest first. */
async function recentTools(journal: Journal, { tenant, actor }: SurfaceRequest): Promise<string[]> {
  await journal.flush()
  const { rows } = await journal.store.listCalls({
    tenant,
    actor,
    resultStatus: ['succeeded', 'partial_succeeded', 'too_large', 'redacted'],
    newestFirst: true,
    limit: RECENT_CALLS,
  })
  // Without an actor the store returns the calls of all actors.
  return [...new Set(rows.filter((row) => row.actor === actor).map(({ toolId }) => toolId))]
}
