import type { DeferredToolRef } from '../../contract/objects/deferred-tool-ref.js'
import type { ToolSurface } from '../../contract/objects/tool-surface.js'
import type { Journal, StreamEntry } from '../../storage/journal/journal.js'
import type { Redactor } from '../../redaction/redactor.js'
import { sameJson } from '../../platform/json/same-json.js'
import type { EventDraft } from '../../storage/event-list.js'
import { atOnce, inTurns, type Steps } from '../../platform/async/steps.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { buildSurface, surfaceSteps, type BuiltSurface, type Denies } from '../../surfaces/build-surface.js'
import { listTools, type ListedTool } from '../../surfaces/list-tools.js'
import { toDeferredRef } from '../../surfaces/to-deferred-ref.js'
import { LOADED } from '../../surfaces/filters.js'
import { shownAfter } from '../../surfaces/shown-after.js'
import { NOTHING_SHOWN, type Shown } from '../../surfaces/shown.js'
import { checkSurfaceRequest, type SurfaceRequest } from '../../surfaces/surface-request.js'
import { toSurfaceRecord, type SurfaceIdentity } from '../../surfaces/to-surface-record.js'
import { discoveredEvents } from '../discovery/discovered-events.js'
import type { SurfaceDiscovery } from '../discovery/discovery-module.js'
import { checkSearch, type SearchOptions } from '../discovery/search-surface.js'
import type { SurfaceSearchResult } from '../discovery/to-search-result.js'
import { createVisibility } from './visibility.js'
import { findOpenSurface } from './find-open-surface.js'
import { followCatalog } from './follow-catalog.js'
import { createLoadedSet, joinShown, type LoadedSet } from './loaded-set.js'
import { prepareLoading, type Loading } from './prepare-loading.js'
import { outcomeNow, sortNames, type LoadOutcome } from './sort-names.js'
import { toSurfaceDocument } from './surface-document.js'

/** What one caller sees now. It is built again when the catalog or what was asked for changes. */
export interface Surface {
  readonly id: string
  readonly request: SurfaceRequest
  /** As it is stored. Long lists are told by counts; `fullRecord` has them all. */
  readonly record: ToolSurface
  fullRecord(): ToolSurface
  /** The tools whose schemas are sent with the list. What is loaded or added later comes at the end. */
  tools(): readonly CatalogTool[]
  /** The list as it is sent to a model, which depends on the way of deferral. It grows at its end only. */
  listed(): readonly ListedTool[]
  /** Finds tools that this caller may see: by `select:` and names, or by words. Loads nothing. */
  search(query: string, options?: SearchOptions): Promise<SurfaceSearchResult>
  /**
   * Lets the caller use deferred tools, by any of their names. Durable when it resolves. A name that is denied is missing,
   * like one that nobody has.
   */
  load(names: readonly string[]): Promise<LoadOutcome>
  /** Where a tool stands for this caller. Nothing for what it may not know about. */
  standing(name: string): DeferredToolRef | undefined
  /** Calls back soon after the list may have become another. What it returns ends it. */
  onChange(listener: () => void): () => void
  /** Changes what decides the surface; it keeps its id. */
  update(changes: Partial<SurfaceRequest>): Promise<Surface>
  /** For the pipeline: the surface at the catalog's present revision. */
  current(): BuiltSurface
}

const PRODUCER = 'toolcrib'

export interface SurfaceMaker {
  catalog: Catalog
  journal: Journal
  now: () => number
  denies: Denies
  /** Changes when a rule does: what is hidden may then be another. */
  policyRevision: () => string
  /** Told before a surface is asked for something else. */
  onRequest?(request: SurfaceRequest): Promise<void>
  redactor: Redactor
  discovery: SurfaceDiscovery
}

/** What a surface goes on from, and where it keeps what it shows. */
export interface SurfaceStart {
  set: LoadedSet
  loading: Loading
}

export function createSurface(
  maker: SurfaceMaker,
  { id, request, start }: { id: string; request: SurfaceRequest; start: SurfaceStart },
): Surface {
  const { catalog, journal, now, denies, policyRevision, onRequest, redactor, discovery } = maker
  const tenant = request.tenant!
  const stream: StreamEntry = { tenant, stream: id, sequence: 0 }
  const identity: SurfaceIdentity = { surfaceId: id, producer: PRODUCER, revision: 1, createdAt: now() }
  const listeners = new Set<() => void>()
  const familiarityOf = createVisibility(journal.store, now)
  let asked = withCleanWords(request, redactor)
  let { set } = start
  let { shown, costOf } = start.loading
  let built = buildSurface(catalog, asked, { denies, shown, costOf })
  let builtUnder = policyRevision()
  let record = toSurfaceRecord(built, identity)
  let listed: readonly ListedTool[] | undefined
  let loadingNow: Promise<unknown> = Promise.resolve()
  shown = shownAfter(built)
  write([{ type: 'tool.surface.created', at: now(), data: { surface: record } }])

  function write(drafts: readonly EventDraft[]): void {
    journal.append(stream, drafts, set.documents(shown))
    keep()
  }

  // The document is a convenience over the events; a store that fails now fails the next call, which says so.
  function keep(): void {
    const value = toSurfaceDocument(record, asked, shown)
    journal.put({ tenant, kind: 'surface', id, updatedAt: now(), value }).catch(() => {})
  }

  function rebuild(news: readonly EventDraft[] = []): void {
    discovery.offerFor(asked)
    show(atOnce(nextSteps()), news)
  }

  /** What the surface becomes. Nothing is another before it is shown. */
  function* nextSteps(): Steps<NextSurface> {
    const base = { built, asked, shown, costOf }
    const under = policyRevision()
    const revision = identity.revision + 1
    const next = yield* surfaceSteps(catalog, asked, { denies, shown, costOf, revision })
    yield
    const after = shownAfter(next)
    yield
    const record = toSurfaceRecord(next, { ...identity, revision }, { before: base.built })
    return { base, under, built: next, shown: after, record }
  }

  function show(next: NextSurface, news: readonly EventDraft[]): void {
    const sent = listeners.size > 0 ? list() : undefined
    built = next.built
    discovery.remember(built, surface)
    builtUnder = next.under
    listed = undefined
    shown = next.shown
    identity.revision++
    record = next.record
    write([...news, { type: 'tool.surface.updated', at: now(), data: { surface: record } }])
    if (sent && !isSameList(sent, list())) for (const listener of listeners) listener()
  }

  function isStale(): boolean {
    return built.catalogRevision !== catalog.revision || builtUnder !== policyRevision() || built.isOutdated()
  }

  function current(): BuiltSurface {
    if (isStale()) rebuild()
    return built
  }

  /** For who only listens: with turns for others. Where it became another meanwhile, somebody looks again. */
  async function look(): Promise<void> {
    if (!isStale()) return
    discovery.offerFor(asked)
    const next = await inTurns(nextSteps())
    const { base } = next
    const isSame =
      base.built === built && base.asked === asked && base.shown === shown && base.costOf === costOf
    if (isSame && next.built.catalogRevision === catalog.revision && next.under === policyRevision())
      show(next, [])
  }

  const list = (): readonly ListedTool[] => (listed ??= listTools(built))

  async function load(names: readonly string[]): Promise<LoadOutcome> {
    const { toLoad, outcome } = sortNames(names, current(), catalog)
    if (toLoad.length === 0) return outcome
    const added = await set.add(shown, outcome.loaded)
    // Joined with what is shown by now: the catalog may have changed meanwhile.
    shown = joinShown(shown, added)
    const allowed = toLoad.filter((tool) => denies(tool, asked) === undefined)
    rebuild(allowed.map((tool) => loadedEvent(tool, { surfaceId: id, at: now() })))
    await journal.durable()
    // A rule may have come while it waited: what it denies is not there.
    return outcomeNow(outcome, sortNames(names, current(), catalog).outcome)
  }

  async function update(changes: Partial<SurfaceRequest>): Promise<void> {
    const next = withCleanWords({ ...asked, ...changes, tenant }, redactor)
    checkSurfaceRequest(next)
    await onRequest?.(next)
    const isDecidedAnew = !sameJson(next.deferral ?? null, asked.deferral ?? null)
    const nextSet = createLoadedSet(journal, { request: next, now, catalog })
    const isOther = nextSet.id !== set.id
    const stored = isOther || isDecidedAnew ? await nextSet.read() : undefined
    let before = shown
    // A conversation that gets a name goes on; another one has its own past.
    if (isOther)
      before = set.id === undefined ? joinShown(stored ?? NOTHING_SHOWN, shown) : (stored ?? NOTHING_SHOWN)
    if (isDecidedAnew) before = { ...before, kept: new Set(), recent: undefined }
    const loading = await prepareLoading(maker, next, before)
    if (isOther || isDecidedAnew) set = nextSet
    asked = next
    shown = loading.shown
    costOf = loading.costOf
    rebuild()
  }

  // One after the other: what one of them awaits must not be overtaken by the next.
  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = loadingNow.then(work)
    loadingNow = done.catch(() => {})
    return done
  }

  const surface: Surface = {
    id,
    get request() {
      return asked
    },
    get record() {
      current()
      return record
    },
    fullRecord: () => toSurfaceRecord(current(), identity, { full: true }),
    tools() {
      current()
      return list().flatMap(({ tool, isDeferred }) => (isDeferred ? [] : [tool]))
    },
    listed() {
      current()
      return list()
    },
    async search(query, { limit } = {}) {
      checkSearch(query, { limit })
      const familiarity = await familiarityOf({ tenant, actor: asked.actor })
      const found = await discovery.search(current(), query, { limit, familiarity })
      journal.append(stream, discoveredEvents(found, { surfaceId: id, at: now() }))
      return found
    },
    load: (names) => inTurn(() => load(names)),
    standing: (name) => findOpenSurface(name, current(), { catalog, denies }),
    onChange: followCatalog(catalog, { listeners, look }),
    async update(changes) {
      await inTurn(() => update(changes))
      return surface
    },
    current,
  }
  discovery.remember(built, surface)
  return surface
}

interface NextSurface {
  /** What it was made from. */
  readonly base: { built: BuiltSurface; asked: SurfaceRequest; shown: Shown; costOf: unknown }
  /** The revision of the policy. */
  readonly under: string
  readonly built: BuiltSurface
  readonly shown: Shown
  readonly record: ToolSurface
}

function loadedEvent(tool: CatalogTool, { surfaceId, at }: { surfaceId: string; at: number }): EventDraft {
  const ref = toDeferredRef(tool, LOADED, { isFindable: true })
  return {
    type: 'tool.deferred.loaded',
    at,
    data: { surface_id: surfaceId, tool_id: tool.toolId, deferred_tool: ref },
  }
}

function isSameList(a: readonly ListedTool[], b: readonly ListedTool[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ tool, isDeferred }, at) => tool === b[at]!.tool && isDeferred === b[at]!.isDeferred)
  )
}

/** What decides nothing and is kept with everything else. */
function withCleanWords(request: SurfaceRequest, redactor: Redactor): SurfaceRequest {
  const { reason, runtimeRefs, policyRefs } = request
  return {
    ...request,
    ...(reason !== undefined && { reason: redactor.text(reason) }),
    ...(runtimeRefs && { runtimeRefs: redactor.value(runtimeRefs) }),
    ...(policyRefs && { policyRefs: redactor.value(policyRefs) }),
  }
}
