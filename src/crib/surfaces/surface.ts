import type { DeferredToolRef } from '../../contract/objects/deferred-tool-ref.js'
import type { ToolSurface } from '../../contract/objects/tool-surface.js'
import { createSerialQueue } from '../../platform/async/create-serial-queue.js'
import type { Journal, StreamEntry } from '../../storage/journal/journal.js'
import type { Redactor } from '../../redaction/redactor.js'
import { sameJson } from '../../platform/json/same-json.js'
import type { EventDraft } from '../../storage/event-list.js'
import { atOnce, inTurns, type Steps } from '../../platform/async/steps.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { buildSurface, surfaceSteps, type BuiltSurface, type Denies } from '../../surfaces/build-surface.js'
import { canSearch } from '../../surfaces/can-search.js'
import { listTools, type ListedTool } from '../../surfaces/list-tools.js'
import { toDeferredRef } from '../../surfaces/to-deferred-ref.js'
import { LOADED } from '../../surfaces/filters.js'
import { shownAfter } from '../../surfaces/shown-after.js'
import { NOTHING_SHOWN, type Shown } from '../../surfaces/shown.js'
import { checkSurfaceRequest, type SurfaceRequest } from '../../surfaces/surface-request.js'
import { toSurfaceRecord, type SurfaceIdentity } from '../../surfaces/to-surface-record.js'
import { discoveredEvents } from '../discovery/discovered-events.js'
import type { SurfaceDiscovery } from '../discovery/surface-discovery.js'
import { checkSearch, type SearchOptions } from '../discovery/search-surface.js'
import type { SurfaceSearchResult } from '../discovery/to-search-result.js'
import type { Policy } from '../../policy/policy.js'
import type { Agents } from '../catalog/agents.js'
import { createRecentUse } from './recent-use.js'
import { followCatalog } from './follow-catalog.js'
import { createLoadedSet, joinShown, type LoadedSet } from './loaded-set.js'
import { prepareLoading, type Loading } from './prepare-loading.js'
import { outcomeNow, sortNames, type LoadOutcome } from './sort-names.js'
import { toSurfaceDocument } from './surface-document.js'

/** What one caller sees now. It is rebuilt when the catalog or the request changes. */
export interface Surface {
  readonly id: string
  /** What was asked, with what its agent demands. */
  readonly request: SurfaceRequest
  /** As stored. Long lists are given by counts; `fullRecord` has them all. */
  readonly record: ToolSurface
  fullRecord(): ToolSurface
  /** The tools whose schemas are sent with the list. Tools loaded or added later come at the end. */
  tools(): readonly CatalogTool[]
  /** The list as sent to a model, which depends on the way of deferral. It only grows at its end. */
  listed(): readonly ListedTool[]
  /** Finds tools that this caller may see: by `select:` and names, or by words. Does not load them. */
  search(query: string, options?: SearchOptions): Promise<SurfaceSearchResult>
  /**
   * Loads deferred tools, by any of their names. Durable when it resolves. A denied name is missing, like an unknown
   * one.
   */
  load(names: readonly string[]): Promise<LoadOutcome>
  /**
   * Whether a tool is loaded, deferred or hidden, and why. `undefined` for a tool that the caller must not know about.
   */
  lookup(name: string): DeferredToolRef | undefined
  /** Calls back soon after the list may have changed. Returns a function that stops this. */
  onChange(listener: () => void): () => void
  /** Changes the request of the surface; it keeps its id. */
  update(changes: Partial<SurfaceRequest>): Promise<Surface>
  /** For the pipeline: the surface at the catalog's current revision. */
  current(): BuiltSurface
}

const PRODUCER = 'toolcrib'

export interface SurfaceMaker {
  catalog: Catalog
  /** Their revision changes with what they may see. */
  agents: Pick<Agents, 'revision' | 'resolve'>
  journal: Journal
  now: () => number
  denies: Denies
  /** Its revision changes with the rules: they decide what is hidden. */
  policy: Pick<Policy, 'revision'>
  /** Called before a surface gets another request. */
  onRequest?(request: SurfaceRequest): Promise<void>
  redactor: Redactor
  discovery: SurfaceDiscovery
}

/** What a surface starts from, and where it stores what it shows. */
export interface SurfaceStart {
  set: LoadedSet
  loading: Loading
  /** Set for a surface that was opened before. */
  before?: SurfaceBefore | undefined
}

/** The record of a surface that was opened before. */
export interface SurfaceBefore {
  readonly revision: number
  readonly createdAt: number
  /** How many events it has. */
  readonly sequence: number
}

export function createSurface(
  maker: SurfaceMaker,
  { id, request, start }: { id: string; request: SurfaceRequest; start: SurfaceStart },
): Surface {
  const { catalog, agents, journal, now, denies, policy, onRequest, redactor, discovery } = maker
  const tenant = request.tenant!
  const { before } = start
  const stream: StreamEntry = { tenant, stream: id, sequence: before?.sequence ?? 0 }
  const identity: SurfaceIdentity = {
    surfaceId: id,
    producer: PRODUCER,
    revision: (before?.revision ?? 0) + 1,
    createdAt: before?.createdAt ?? now(),
  }
  const listeners = new Set<() => void>()
  const recentUseOf = createRecentUse(journal.store, now)
  let asked = withCleanWords(request, redactor)
  let { set } = start
  let { shown, costOf } = start.loading
  let built = buildSurface(catalog, agents.resolve(asked), { denies, shown, costOf })
  let builtUnder = policy.revision
  let builtFor = agents.revision
  let record = toSurfaceRecord(built, identity)
  let listed: readonly ListedTool[] | undefined
  // One at a time: a later change must not overtake an earlier one that still waits for the store.
  const queue = createSerialQueue()
  shown = shownAfter(built)
  const type = before ? 'tool.surface.updated' : 'tool.surface.created'
  write([{ type, at: now(), data: { surface: record } }])

  function write(drafts: readonly EventDraft[]): void {
    journal.append(stream, drafts, set.documents(shown))
    keep()
  }

  // The document only caches the events; the next call reports a failure of the store.
  function keep(): void {
    const value = toSurfaceDocument(record, asked, shown)
    journal.put({ tenant, kind: 'surface', id, updatedAt: now(), value }).catch(() => {})
  }

  function rebuild(events: readonly EventDraft[] = []): void {
    discovery.offerFor(asked)
    show(atOnce(nextSteps()), events)
  }

  /** Builds the next surface. Nothing changes before `show`. */
  function* nextSteps(): Steps<NextSurface> {
    const base = { built, asked, shown, costOf }
    const under = policy.revision
    const forAgents = agents.revision
    const revision = identity.revision + 1
    const next = yield* surfaceSteps(catalog, agents.resolve(asked), { denies, shown, costOf, revision })
    yield
    const after = shownAfter(next)
    yield
    const record = toSurfaceRecord(next, { ...identity, revision }, { before: base.built })
    return { base, under, forAgents, built: next, shown: after, record }
  }

  function show(next: NextSurface, events: readonly EventDraft[]): void {
    const sent = listeners.size > 0 ? list() : undefined
    built = next.built
    discovery.remember(built, surface)
    builtUnder = next.under
    builtFor = next.forAgents
    listed = undefined
    shown = next.shown
    identity.revision++
    record = next.record
    write([...events, { type: 'tool.surface.updated', at: now(), data: { surface: record } }])
    if (sent && !isSameList(sent, list())) for (const listener of listeners) listener()
  }

  function isStale(): boolean {
    return (
      built.catalogRevision !== catalog.revision ||
      builtUnder !== policy.revision ||
      (asked.agent !== undefined && builtFor !== agents.revision) ||
      built.isOutdated()
    )
  }

  function current(): BuiltSurface {
    if (isStale()) rebuild()
    return built
  }

  /** For listeners: yields to other work. If the surface changed meanwhile, another check follows. */
  async function look(): Promise<void> {
    if (!isStale()) return
    discovery.offerFor(asked)
    const next = await inTurns(nextSteps())
    const { base } = next
    const isSame =
      base.built === built && base.asked === asked && base.shown === shown && base.costOf === costOf
    const isCurrent = next.under === policy.revision && next.forAgents === agents.revision
    if (isSame && isCurrent && next.built.catalogRevision === catalog.revision) show(next, [])
  }

  const list = (): readonly ListedTool[] => (listed ??= listTools(built))

  async function load(names: readonly string[]): Promise<LoadOutcome> {
    const { toLoad, outcome } = sortNames(names, current(), catalog)
    if (toLoad.length === 0) return outcome
    const added = await set.add(shown, outcome.loaded)
    // Joined with the current state: the catalog may have changed meanwhile.
    shown = joinShown(shown, added)
    const allowed = toLoad.filter((tool) => denies(tool, asked) === undefined)
    rebuild(allowed.map((tool) => loadedEvent(tool, { surfaceId: id, at: now() })))
    await journal.durable()
    // A new rule may deny a tool meanwhile: then it is missing.
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
    // A conversation that gets a name keeps what it was shown; another conversation has its own state.
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

  const surface: Surface = new OpenSurface({
    id,
    requestOf: () => built.request,
    recordOf() {
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
      const recentUse = await recentUseOf({ tenant, actor: asked.actor })
      const found = await discovery.search(current(), query, { limit, recentUse })
      journal.append(stream, discoveredEvents(found, { surfaceId: id, at: now() }))
      return found
    },
    load: (names) => queue.run(() => load(names)),
    lookup: (name) => lookUp(name, current(), { catalog, denies }),
    onChange: followCatalog(catalog, { listeners, look }),
    async update(changes) {
      await queue.run(() => update(changes))
      return surface
    },
    current,
  })
  discovery.remember(built, surface)
  return surface
}

interface SurfaceParts extends Omit<Surface, 'request' | 'record'> {
  requestOf(): SurfaceRequest
  recordOf(): ToolSurface
}

// A class, because every call reads it: an object that has accessors of its own is slow to read.
class OpenSurface implements Surface {
  readonly id: string
  readonly fullRecord: Surface['fullRecord']
  readonly tools: Surface['tools']
  readonly listed: Surface['listed']
  readonly search: Surface['search']
  readonly load: Surface['load']
  readonly lookup: Surface['lookup']
  readonly onChange: Surface['onChange']
  readonly update: Surface['update']
  readonly current: Surface['current']
  readonly #parts: SurfaceParts

  constructor(parts: SurfaceParts) {
    this.id = parts.id
    this.fullRecord = parts.fullRecord
    this.tools = parts.tools
    this.listed = parts.listed
    this.search = parts.search
    this.load = parts.load
    this.lookup = parts.lookup
    this.onChange = parts.onChange
    this.update = parts.update
    this.current = parts.current
    this.#parts = parts
  }

  get request(): SurfaceRequest {
    return this.#parts.requestOf()
  }

  get record(): ToolSurface {
    return this.#parts.recordOf()
  }
}

interface NextSurface {
  /** What it was built from. */
  readonly base: { built: BuiltSurface; asked: SurfaceRequest; shown: Shown; costOf: unknown }
  /** The revision of the policy, and of the agents. */
  readonly under: string
  readonly forAgents: number
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

/** Removes secrets from texts that decide nothing but are stored. */
function withCleanWords(request: SurfaceRequest, redactor: Redactor): SurfaceRequest {
  const { reason, runtimeRefs, policyRefs } = request
  return {
    ...request,
    ...(reason !== undefined && { reason: redactor.text(reason) }),
    ...(runtimeRefs && { runtimeRefs: redactor.value(runtimeRefs) }),
    ...(policyRefs && { policyRefs: redactor.value(policyRefs) }),
  }
}

/** The visibility of a tool for a caller. A tool that a rule hides is unknown. */
function lookUp(
  name: string,
  built: BuiltSurface,
  { catalog, denies }: { catalog: Catalog; denies: Denies },
): DeferredToolRef | undefined {
  const mayKnow = (tool: CatalogTool): boolean => denies(tool, built.request) === undefined
  const resolved = catalog.resolve(name, mayKnow)
  if (!resolved || !('found' in resolved) || !mayKnow(resolved.found)) return undefined
  const { found } = resolved
  return toDeferredRef(found, built.visibilityOf(found), { isFindable: canSearch(built) })
}
