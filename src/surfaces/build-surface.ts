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
import { inOneShape } from './in-one-shape.js'
import { compileNamePatterns, type NameTest } from './name-pattern.js'
import { orderTools } from './order-tools.js'
import { NOTHING_SHOWN, type Shown } from './shown.js'
import type { SurfaceRequest } from './surface-request.js'
import type { CostOf } from './tool-cost.js'

export interface HiddenTool {
  tool: CatalogTool
  visibility: Exclude<Visibility, { state: 'loaded' }>
}

/** What one caller sees at one revision of the catalog. */
export interface BuiltSurface {
  request: SurfaceRequest
  /** How often this surface was built. */
  revision: number
  catalogRevision: number
  /** What was shown before this build. */
  shown: Shown
  /** Tools that were sent before come first, in their order. */
  loaded: readonly CatalogTool[]
  /** Loaded tools that are not listed: they can be found, and called by callers that know them. */
  unlisted: readonly CatalogTool[]
  /** Tools that could be loaded, in the catalog's order. */
  deferred: readonly CatalogTool[]
  /** The tool that finds deferred tools, whether this caller has it or not. */
  discovery: CatalogTool | undefined
  /** The number of tools that are not loaded, by state and by reason. */
  counts: { deferred: number; blocked: number; excluded: number; byReason: Record<string, number> }
  /** The decision of the budget, where there is one. */
  deferral: DeferralDecision | undefined
  /** Requirements that no loaded tool meets. */
  capabilityGaps: readonly string[]
  visibilityOf(tool: CatalogTool): Visibility
  /** The loaded tool that a name leads to, looked up once: callers use the same few names. */
  loadedBy(name: string): CatalogTool | undefined
  /** Whether a loaded tool is listed; otherwise it can only be called by callers that know it. */
  isOnList(tool: CatalogTool): boolean
  /** The tools that are not loaded, computed on demand. */
  hidden(): HiddenTool[]
  /** Whether a provider has finished connecting, or a tool's switches changed, since the build. */
  isOutdated(): boolean
}

export type Denies = (tool: CatalogTool, request: SurfaceRequest) => Denial | undefined

export interface BuildOptions {
  denies?: Denies | undefined
  /** Default: nothing. */
  shown?: Shown | undefined
  /** Absent: no tool is deferred because of its cost. */
  costOf?: CostOf | undefined
  /** Default: the first. */
  revision?: number | undefined
}

export function buildSurface(
  catalog: Catalog,
  request: SurfaceRequest,
  options: BuildOptions = {},
): BuiltSurface {
  return atOnce(surfaceSteps(catalog, request, options))
}

/** Builds the surface in one pass over the catalog; new and known filters cost the same. */
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
  // Once sent, a tool stays, because the list only grows.
  const isWithheld = (tool: CatalogTool): boolean => !isToFind && isDiscoveryTool(tool)
  const loaded = affordable.some(isWithheld) ? affordable.filter((tool) => !isWithheld(tool)) : affordable
  count(counts, NOTHING_TO_FIND, affordable.length - loaded.length)
  // By id: a source that lists the same tools again creates new objects.
  const staying = deferral?.decision === 'deferred' ? new Set(loaded.map(({ toolId }) => toolId)) : undefined
  const judged = new Map<CatalogTool, Visibility>()
  yield

  // Judged once per tool and surface: a rule that changes its answer takes effect on the next surface.
  function visibilityOf(tool: CatalogTool): Visibility {
    let visibility = judged.get(tool)
    if (!visibility) {
      visibility = judgeVisibility(tool, compiled)
      // Includes tools that their own rule has enabled since: they were not shown.
      if (visibility === LOADED && staying?.has(tool.toolId) === false) visibility = DEFERRED
      if (visibility === LOADED && isWithheld(tool)) visibility = NOTHING_TO_FIND
      judged.set(tool, visibility)
    }
    return visibility
  }

  const isLoaded = (tool: CatalogTool): boolean => visibilityOf(tool).state === 'loaded'
  const byName = new Map<string, CatalogTool>()
  // The last name apart: a call asks twice.
  let lastName: string | undefined
  let lastTool: CatalogTool | undefined

  function loadedBy(name: string): CatalogTool | undefined {
    if (name !== lastName) [lastName, lastTool] = [name, byName.get(name)]
    const known = lastTool
    if (known !== undefined || catalog.revision !== catalogRevision) return known
    const resolved = catalog.resolve(name, isLoaded)
    if (!resolved || !('found' in resolved) || !isLoaded(resolved.found)) return undefined
    byName.set(name, resolved.found)
    lastTool = resolved.found
    return resolved.found
  }

  return {
    request: inOneShape(request),
    revision,
    catalogRevision,
    shown,
    loaded: orderTools(loaded, shown),
    unlisted: loaded.filter((tool) => !isNewlyListed(tool, compiled)),
    // The budget's deferred tools include those that are always deferred.
    deferred: deferral ? considered.filter(({ toolId }) => deferral.deferred.has(toolId)) : ownDeferred,
    discovery: catalog.get(DISCOVERY_TOOL_ID),
    counts,
    deferral,
    capabilityGaps: findGaps(request, loaded),
    visibilityOf,
    loadedBy,
    isOnList: (tool) => isNewlyListed(tool, compiled),
    hidden: () =>
      considered.flatMap((tool) => {
        const visibility = visibilityOf(tool)
        return visibility.state === 'loaded' ? [] : [{ tool, visibility }]
      }),
    isOutdated: eitherOf(connectionWatch(catalog, pending), switchWatch(considered)),
  }
}

/** How many tools are judged before the process yields. */
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
    if (visibility.state === 'loaded') {
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

/** How often every pending tool is checked, instead of one per provider. */
const ASK_ALL_MS = 250

/** Whether a provider has finished connecting. Runs on every call, so few tools are checked each time. */
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

/** Up to this many switches are checked on every call; more of them, at intervals. */
const FEW_SWITCHES = 32

/** Whether a tool was enabled, disabled or set up since. */
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

function count(counts: Counts, { state, reason }: HiddenTool['visibility'], more: number): void {
  if (more === 0) return
  counts[state] += more
  counts.byReason[reason] = (counts.byReason[reason] ?? 0) + more
}

/** Whether a surface for this request, with this history, would load the tool. */
export function wouldLoad(tool: CatalogTool, request: SurfaceRequest, options: BuildOptions = {}): boolean {
  const { denies, shown = NOTHING_SHOWN } = options
  const compiled = compileRequest(request, { denies, shown })
  if (judgeVisibility(tool, compiled).state !== 'loaded') return false
  // With a budget, only a requested tool is certain to be loaded.
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
