import { atOnce, type Steps } from '../platform/async/steps.js'
import type { Catalog } from '../catalog/catalog.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import type { DeferralDecision } from './decide-deferral.js'
import { deferByBudget } from './defer-by-budget.js'
import type { Denial } from './denial.js'
import { DISCOVERY_TOOL_ID, isDiscoveryTool } from './discovery-tool.js'
import {
  DEFERRED,
  hasSwitches,
  isAsked,
  isNewlyListed,
  isOffList,
  judgeVisibility,
  LOADED,
  NOTHING_TO_FIND,
  pendingProviderOf,
  switchesOf,
  type CompiledRequest,
  type Visibility,
} from './filters.js'
import { compileNamePatterns, type NameTest } from './name-pattern.js'
import { orderTools } from './order-tools.js'
import { NOTHING_SHOWN, type Shown } from './shown.js'
import type { SurfaceRequest } from './surface-request.js'
import type { CostOf } from './tool-cost.js'

export interface HiddenTool {
  tool: CatalogTool
  visibility: Exclude<Visibility, { standing: 'loaded' }>
}

/** What one caller sees at one revision of the catalog. */
export interface BuiltSurface {
  request: SurfaceRequest
  /** Counts the times that this surface was built. */
  revision: number
  catalogRevision: number
  /** What was shown before it was built. */
  shown: Shown
  /** Those that were sent before first, in their order. */
  loaded: readonly CatalogTool[]
  /** Those of the loaded that are not on the list: they can be called by who knows them, and found. */
  unlisted: readonly CatalogTool[]
  /** What could be loaded, in the catalog's order. */
  deferred: readonly CatalogTool[]
  /** The tool that finds what is deferred, whether this caller has it or not. */
  discovery: CatalogTool | undefined
  /** How many tools are not loaded, by where they stand and why. */
  counts: { deferred: number; blocked: number; excluded: number; byReason: Record<string, number> }
  /** What the budget made of it, where there is one. */
  deferral: DeferralDecision | undefined
  /** Requirements that no loaded tool meets. */
  capabilityGaps: readonly string[]
  visibilityOf(tool: CatalogTool): Visibility
  /** Whether a tool that is loaded is sent along, or only called by those who know it. */
  isOnList(tool: CatalogTool): boolean
  /** The tools that are not loaded, found again when somebody wants to see them. */
  hidden(): HiddenTool[]
  /** Whether somebody who was still connecting no longer is. */
  isOutdated(): boolean
}

export type Denies = (tool: CatalogTool, request: SurfaceRequest) => Denial | undefined

export interface BuildOptions {
  denies?: Denies | undefined
  /** Nothing, unless said. */
  shown?: Shown | undefined
  /** Absent: nothing is deferred by its cost. */
  costOf?: CostOf | undefined
  /** The first, unless said. */
  revision?: number | undefined
}

export function buildSurface(
  catalog: Catalog,
  request: SurfaceRequest,
  options: BuildOptions = {},
): BuiltSurface {
  return atOnce(surfaceSteps(catalog, request, options))
}

/** One pass over the catalog; a filter costs the same whether it was seen before or not. */
export function* surfaceSteps(
  catalog: Catalog,
  request: SurfaceRequest,
  { denies, shown = NOTHING_SHOWN, costOf, revision = 1 }: BuildOptions = {},
): Steps<BuiltSurface> {
  const compiled = compileRequest(request, { denies, shown })
  const catalogRevision = catalog.revision
  const considered = catalog.list()
  const { upFront, ownDeferred, pending, counts } = yield* judgeAll(considered, compiled)
  const deferral = costOf && deferByBudget({ upFront, ownDeferred }, compiled, costOf)
  const affordable = deferral ? upFront.filter(({ toolId }) => !deferral.deferred.has(toolId)) : upFront
  count(counts, DEFERRED, upFront.length - affordable.length)
  const isToFind =
    counts.deferred > 0 ||
    shown.order.includes(DISCOVERY_TOOL_ID) ||
    affordable.some((tool) => isOffList(tool, compiled))
  // Once they were sent they stay, for the list only grows.
  const isWithheld = (tool: CatalogTool): boolean => !isToFind && isDiscoveryTool(tool)
  const loaded = affordable.some(isWithheld) ? affordable.filter((tool) => !isWithheld(tool)) : affordable
  count(counts, NOTHING_TO_FIND, affordable.length - loaded.length)
  // By id: a source that lists the same tools again puts new objects in their place.
  const staying = deferral?.decision === 'deferred' ? new Set(loaded.map(({ toolId }) => toolId)) : undefined
  const judged = new Map<CatalogTool, Visibility>()
  yield

  // Judged once per tool and surface: a rule that answers differently next time does so on the next surface.
  function visibilityOf(tool: CatalogTool): Visibility {
    let visibility = judged.get(tool)
    if (!visibility) {
      visibility = judgeVisibility(tool, compiled)
      // Also what a rule of its own has let in since: nobody was shown it.
      if (visibility === LOADED && staying?.has(tool.toolId) === false) visibility = DEFERRED
      if (visibility === LOADED && isWithheld(tool)) visibility = NOTHING_TO_FIND
      judged.set(tool, visibility)
    }
    return visibility
  }

  return {
    request,
    revision,
    catalogRevision,
    shown,
    loaded: orderTools(loaded, shown),
    unlisted: loaded.filter((tool) => !isNewlyListed(tool, compiled)),
    // Those that are deferred in any case are among what the budget defers.
    deferred: deferral ? considered.filter(({ toolId }) => deferral.deferred.has(toolId)) : ownDeferred,
    discovery: catalog.get(DISCOVERY_TOOL_ID),
    counts,
    deferral,
    capabilityGaps: findGaps(request, loaded),
    visibilityOf,
    isOnList: (tool) => isNewlyListed(tool, compiled),
    hidden: () =>
      considered.flatMap((tool) => {
        const visibility = visibilityOf(tool)
        return visibility.standing === 'loaded' ? [] : [{ tool, visibility }]
      }),
    isOutdated: eitherOf(connectionWatch(catalog, pending), switchWatch(considered)),
  }
}

/** So many tools are judged before others may have a turn. */
const PER_STEP = 100

type Counts = BuiltSurface['counts']

interface JudgedTools {
  readonly upFront: readonly CatalogTool[]
  readonly ownDeferred: readonly CatalogTool[]
  readonly pending: readonly PendingTool[]
  readonly counts: Counts
}

function* judgeAll(considered: readonly CatalogTool[], compiled: CompiledRequest): Steps<JudgedTools> {
  const counts: Counts = { deferred: 0, blocked: 0, excluded: 0, byReason: {} }
  const upFront: CatalogTool[] = []
  const ownDeferred: CatalogTool[] = []
  const pending: PendingTool[] = []
  for (const [at, tool] of considered.entries()) {
    if (at % PER_STEP === PER_STEP - 1) yield
    const visibility = judgeVisibility(tool, compiled)
    if (visibility.standing === 'loaded') {
      upFront.push(tool)
      continue
    }
    count(counts, visibility, 1)
    if (visibility === DEFERRED) ownDeferred.push(tool)
    else if (visibility.pendingProvider !== undefined) {
      pending.push({ toolId: tool.toolId, provider: visibility.pendingProvider })
    }
  }
  return { upFront, ownDeferred, pending, counts }
}

interface PendingTool {
  toolId: string
  provider: string
}

/** How often every pending tool is asked, and not only one of each provider. */
const ASK_ALL_MS = 250

/** Whether somebody who was still connecting no longer is. Asked with every call: few are asked each time. */
function connectionWatch(catalog: Catalog, pending: readonly PendingTool[]): (() => boolean) | undefined {
  if (pending.length === 0) return undefined
  const isConnected = ({ toolId }: PendingTool): boolean => {
    const tool = catalog.get(toolId)
    return tool !== undefined && pendingProviderOf(tool.draft) === undefined
  }
  const oneOfEach = [...new Map(pending.map((each) => [each.provider, each])).values()]
  let askedAllAt = performance.now()
  return () => {
    if (oneOfEach.some(isConnected)) return true
    const now = performance.now()
    if (now - askedAllAt < ASK_ALL_MS) return false
    askedAllAt = now
    return pending.some(isConnected)
  }
}

/** So many switches are looked at with every call; more of them, from time to time. */
const FEW_SWITCHES = 32

/** Whether a tool was switched on or off, or set up, since. */
function switchWatch(considered: readonly CatalogTool[]): (() => boolean) | undefined {
  const switched = considered.filter(({ draft }) => hasSwitches(draft))
  if (switched.length === 0) return undefined
  const before = switched.map(switchesOf)
  let askedAt = performance.now()
  return () => {
    const now = performance.now()
    if (switched.length > FEW_SWITCHES && now - askedAt < ASK_ALL_MS) return false
    askedAt = now
    return switched.some((tool, index) => switchesOf(tool) !== before[index])
  }
}

const NEVER = (): boolean => false

function eitherOf(one: (() => boolean) | undefined, other: (() => boolean) | undefined): () => boolean {
  return one && other ? () => one() || other() : (one ?? other ?? NEVER)
}

function count(counts: Counts, { standing, reason }: HiddenTool['visibility'], more: number): void {
  if (more === 0) return
  counts[standing] += more
  counts.byReason[reason] = (counts.byReason[reason] ?? 0) + more
}

/** Whether a surface that was asked for like this, and showed this, would load the tool. */
export function wouldLoad(tool: CatalogTool, request: SurfaceRequest, options: BuildOptions = {}): boolean {
  const { denies, shown = NOTHING_SHOWN } = options
  const compiled = compileRequest(request, { denies, shown })
  if (judgeVisibility(tool, compiled).standing !== 'loaded') return false
  // A surface with a budget says what it keeps.
  return request.deferral?.budgetTokens === undefined || isAsked(tool, compiled)
}

function compileRequest(
  request: SurfaceRequest,
  { denies, shown }: { denies: Denies | undefined; shown: Shown },
): CompiledRequest {
  const { include, exclude, load, selectionPolicy, defaultToolChoice, deferral } = request
  const test = (names: readonly string[] | undefined): NameTest | undefined =>
    names && compileNamePatterns(names)
  return {
    request,
    platform: request.platform ?? process.platform,
    skills: new Set(request.skills),
    features: new Set(request.features),
    credentials: new Set(request.credentials),
    isIncluded: test(include),
    isExcluded: test(exclude),
    isSelectable: test(selectionPolicy?.kind === 'only' ? selectionPolicy.tools : undefined),
    isChosen: test(typeof defaultToolChoice === 'object' ? [defaultToolChoice.tool] : undefined),
    isLoaded: test(load),
    isAlways: test(deferral?.always),
    isNever: test(deferral?.never),
    shown,
    denies: denies && ((tool) => denies(tool, request)),
  }
}

function findGaps({ capabilityRequirements }: SurfaceRequest, loaded: readonly CatalogTool[]): string[] {
  if (!capabilityRequirements || capabilityRequirements.length === 0) return []
  const missing = new Set(capabilityRequirements)
  for (const { draft } of loaded) {
    for (const capability of draft.capabilityRefs) missing.delete(capability)
    if (missing.size === 0) break
  }
  return [...missing]
}
