import type { ToolInvocation } from '../../contract/objects/tool-invocation.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { ToolSurface } from '../../contract/objects/tool-surface.js'
import { nearestWord } from '../../platform/config/nearest-word.js'
import {
  invocationStatuses,
  resultStatuses,
  type InvocationStatus,
  type ResultStatus,
} from '../../contract/unions.js'
import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'
import { completeChunk, type LoggedEvent } from '../../storage/journal/complete-chunk.js'
import { fromCursor } from '../../storage/journal/complete-event.js'
import type { Journal } from '../../storage/journal/journal.js'
import { projectCall, type CallStory } from '../../storage/journal/project-call.js'
import { projectProgress } from '../../storage/journal/project-progress.js'
import { readEvents } from '../../storage/journal/read-events.js'
import { projectSurface } from '../../storage/journal/project-surface.js'
import type { Redactor } from '../../redaction/redactor.js'
import { readDefinition } from '../../storage/definition-documents.js'
import type { CallQuery, CallRow } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import type { Policy } from '../../policy/policy.js'
import type { Agents } from '../catalog/agents.js'
import type { Catalog } from '../../catalog/catalog.js'
import { wouldLoad, type Denies } from '../../surfaces/build-surface.js'
import { shownIn, type SurfaceDocument } from '../surfaces/surface-document.js'
import type { CribApprovals } from '../approvals/crib-approvals.js'
import { resolveRef } from './resolve-ref.js'
import type { InTenant } from './in-tenant.js'

export interface EventsQuery {
  /** Only the events of this call so far. */
  invocation?: string
  /**
   * The cursor of an event (`event.toolcrib.cursor`): events after it. `start` (the default) or `now`. A cursor beyond
   * the end of the log counts as `now`.
   */
  from?: string
  /** Continue with later events. */
  follow?: boolean
  signal?: AbortSignal
  tenant?: string
}

export interface InvocationsQuery {
  /** Any of the tool's names, or an id that is no longer in the catalog. */
  tool?: string
  /** Calls of the tools that this source has now. */
  source?: string
  status?: InvocationStatus | readonly InvocationStatus[]
  resultStatus?: ResultStatus | readonly ResultStatus[]
  actor?: string
  session?: string
  surface?: string
  since?: Date | number
  until?: Date | number
  newestFirst?: boolean
  limit?: number
  /** The `cursor` of the page before, with the same query. */
  cursor?: string
  tenant?: string
}

export interface InvocationPage {
  readonly invocations: readonly ToolInvocation[]
  /** Absent on the last page. */
  readonly cursor: string | undefined
}

/** Calls with everything that the log contains about them. */
export interface StoryPage {
  readonly stories: readonly CallStory[]
  /** Absent on the last page. */
  readonly cursor: string | undefined
}

export interface SurfacesQuery {
  id?: string
  actor?: string
  session?: string
  /** Surfaces that load this tool. */
  tool?: string
  since?: Date | number
  until?: Date | number
  tenant?: string
}

export interface SurfacePageQuery {
  actor?: string | undefined
  session?: string | undefined
  tenant?: string | undefined
  /** Default: 50. */
  limit?: number | undefined
  /** The `cursor` of the page before, with the same query. */
  cursor?: string | undefined
}

export interface SurfacePage {
  /** The newest first. */
  readonly surfaces: readonly ToolSurface[]
  /** Absent on the last page. */
  readonly cursor: string | undefined
}

const PAGE = 100
const MAX_JOINED = 50

export type Queries = ReturnType<typeof createQueries>

/** The queries of a crib. They always include the latest records. */
export function createQueries({
  journal,
  tenant: home,
  catalog,
  agents,
  policy,
  denies,
  approval,
  redactor,
  closing,
}: {
  journal: Journal
  tenant: string
  catalog: Catalog
  agents: Pick<Agents, 'resolve'>
  policy: Policy
  denies: Denies
  approval: CribApprovals['get']
  redactor: Redactor
  /** Ends followed queries. */
  closing: AbortSignal
}) {
  const { store } = journal

  function toolIdOf(name: string): string {
    return catalog.find(name)?.toolId ?? name
  }

  function toolIdsOf(source: string): ReadonlySet<string> {
    return new Set(catalog.list().flatMap((tool) => (tool.source === source ? [tool.toolId] : [])))
  }

  function toStoreQuery(query: InvocationsQuery): Omit<CallQuery, 'limit'> {
    checkOptions('A query for calls', query, CALL_QUERY)
    const { cursor } = query
    if (cursor !== undefined && !/^\d+$/.test(cursor))
      throw new TypeError(`"${cursor}" is not a cursor of calls; take the one of crib.invocationPage.`)
    return {
      tenant: query.tenant ?? home,
      tool: query.tool === undefined ? undefined : toolIdOf(query.tool),
      tools: query.source === undefined ? undefined : toolIdsOf(query.source),
      status: knownStatuses('status', listOf(query.status), invocationStatuses),
      resultStatus: knownStatuses('resultStatus', listOf(query.resultStatus), resultStatuses),
      actor: query.actor,
      session: query.session,
      surface: query.surface,
      since: timeOf('since', query.since),
      until: timeOf('until', query.until),
      newestFirst: query.newestFirst,
      cursor,
    }
  }

  async function* rows(query: InvocationsQuery): AsyncGenerator<CallRow, void, void> {
    const asked = toStoreQuery(query)
    await journal.flush()
    let { cursor } = asked
    let left = query.limit ?? Number.POSITIVE_INFINITY
    do {
      const page = await store.listCalls({ ...asked, limit: Math.min(PAGE, left), cursor })
      yield* page.rows
      left -= page.rows.length
      cursor = page.cursor
    } while (cursor !== undefined && left > 0)
  }

  async function story(invocationId: string, tenant = home): Promise<CallStory | undefined> {
    await journal.flush()
    return projectCall(await store.readStream(tenant, invocationId))
  }

  async function storyPage(query: InvocationsQuery = {}): Promise<StoryPage> {
    const asked = toStoreQuery(query)
    await journal.flush()
    const { rows: found, cursor } = await store.listCalls({ ...asked, limit: query.limit ?? PAGE })
    const stories: CallStory[] = []
    for (const { tenant, invocationId } of found) {
      const each = projectCall(await store.readStream(tenant, invocationId))
      if (each) stories.push(each)
    }
    return { stories, cursor }
  }

  return {
    async *events(query: EventsQuery = {}): AsyncGenerator<LoggedEvent, void, void> {
      await journal.flush()
      const tenant = query.tenant ?? home
      if (query.invocation !== undefined) {
        for (const chunk of await store.readStream(tenant, query.invocation)) yield* completeChunk(chunk)
        return
      }
      const after = await positionOf(query.from)
      const signal = query.signal ? AbortSignal.any([query.signal, closing]) : closing
      yield* readEvents(store, { tenant, after, follow: query.follow ?? false, signal })
    },
    async *invocations(query: InvocationsQuery = {}): AsyncGenerator<ToolInvocation, void, void> {
      for await (const { tenant, invocationId } of rows(query)) {
        const found = await story(invocationId, tenant)
        if (found) yield found.invocation
      }
    },
    storyPage,
    async invocationPage(query: InvocationsQuery = {}): Promise<InvocationPage> {
      const { stories, cursor } = await storyPage(query)
      return { invocations: stories.map(({ invocation }) => invocation), cursor }
    },
    async *results(query: InvocationsQuery = {}): AsyncGenerator<ToolResult, void, void> {
      for await (const { tenant, invocationId } of rows(query)) {
        const found = await story(invocationId, tenant)
        if (found?.result) yield found.result
      }
    },
    async surfacePage({ limit = 50, ...query }: SurfacePageQuery = {}): Promise<SurfacePage> {
      await journal.flush()
      const { tenant = home, actor, session } = query
      const surfaces: ToolSurface[] = []
      let { cursor } = query
      // Ids are in the order of their times. Pages that have few matches are joined, and a search for rare ones ends.
      for (let pages = 1; ; pages++) {
        const left = limit - surfaces.length
        const page = await store.listDocuments({
          tenant,
          kind: 'surface',
          descending: true,
          limit: left,
          cursor,
        })
        for (const { value } of page.documents) {
          const { record } = value as SurfaceDocument
          if (
            matchesSurface(record, {
              ...(actor !== undefined && { actor }),
              ...(session !== undefined && { session }),
            })
          )
            surfaces.push(record)
        }
        cursor = page.cursor
        if (cursor === undefined || surfaces.length >= limit || pages === MAX_JOINED)
          return { surfaces, cursor }
      }
    },
    async *surfaces(query: SurfacesQuery = {}): AsyncGenerator<ToolSurface, void, void> {
      const tool = query.tool === undefined ? undefined : catalog.find(query.tool)
      for await (const { value } of storedSurfaces(query)) {
        const document = value as SurfaceDocument
        const { record } = document
        if (!matchesSurface(record, query)) continue
        const request = agents.resolve(document.request)
        const shown = shownIn(document)
        if (query.tool === undefined || (tool && wouldLoad(tool, request, { denies, shown }))) yield record
      }
    },
    invocation: async (invocationId: string, { tenant }: InTenant = {}) =>
      (await story(invocationId, tenant))?.invocation,
    result: async (invocationId: string, { tenant }: InTenant = {}) =>
      (await story(invocationId, tenant))?.result,
    story: (invocationId: string, { tenant }: InTenant = {}) => story(invocationId, tenant),
    resolveRef: async (ref: string, { tenant }: InTenant = {}) => {
      const found = await resolveRef(ref, {
        story: (invocationId) => story(invocationId, tenant),
        async progress(invocationId) {
          await journal.flush()
          return [...projectProgress(await store.readStream(tenant ?? home, invocationId))]
        },
        async surface(surfaceId) {
          await journal.flush()
          return projectSurface(await store.readStream(tenant ?? home, surfaceId))
        },
        tool: catalog.get,
        rules: () => policy.rules,
        document: async (kind, id) => (await store.getDocument(tenant ?? home, kind, id))?.value,
        async definition(name) {
          await journal.flush()
          return readDefinition(store, name)
        },
        approval: (id) => approval(id, { tenant: tenant ?? home }),
      })
      // Definitions of tools, rules and hooks are stored as their authors wrote them, so secrets are removed here.
      return redactor.value(found)
    },
  }

  /** All of the tenant, or the one with the id. */
  async function* storedSurfaces({
    id,
    tenant = home,
  }: SurfacesQuery): AsyncGenerator<{ value: unknown }, void, void> {
    await journal.flush()
    const surfaces = { tenant, kind: 'surface' }
    if (id === undefined) return yield* walkDocuments(store, surfaces)
    const found = await store.getDocument(tenant, 'surface', id)
    if (found) yield found
  }

  async function positionOf(from: string | undefined): Promise<number> {
    if (from === undefined || from === 'start') return 0
    const end = await store.lastPosition()
    const position = from === 'now' ? end : fromCursor(from)
    if (position === undefined) {
      throw new TypeError(
        `"${from}" is not a cursor; take one from an event (event.toolcrib.cursor), "start" or "now".`,
      )
    }
    // A cursor of another log, such as that before a restore, may be beyond the end.
    return Math.min(position, end)
  }
}

const CALL_QUERY = {
  tool: 'text',
  source: 'text',
  status: 'any',
  resultStatus: 'any',
  actor: 'text',
  session: 'text',
  surface: 'text',
  since: 'any',
  until: 'any',
  newestFirst: 'boolean',
  limit: 'positive',
  cursor: 'text',
  tenant: 'text',
} as const satisfies Record<keyof InvocationsQuery, OptionKind>

function knownStatuses<Status extends string>(
  name: string,
  given: readonly Status[] | undefined,
  known: readonly Status[],
): readonly Status[] | undefined {
  const wrong = given?.find((status) => !known.includes(status))
  if (wrong === undefined) return given
  const near = nearestWord(String(wrong), [...known])
  throw new TypeError(
    `There is no ${name} "${wrong}"; ${near ? `did you mean "${near}"?` : `there are ${known.join(', ')}.`}`,
  )
}

/** Milliseconds since 1970, of a time in a query. */
export function timeOf(name: string, given: Date | number | undefined): number | undefined {
  if (given === undefined) return undefined
  const ms = given instanceof Date || typeof given === 'number' ? Number(given) : Number.NaN
  if (Number.isNaN(ms)) throw new TypeError(`"${name}" must be a Date or milliseconds, not ${String(given)}.`)
  return ms
}

function listOf<Value extends string>(
  given: Value | readonly Value[] | undefined,
): readonly Value[] | undefined {
  if (given === undefined) return undefined
  return typeof given === 'string' ? [given] : given
}

function matchesSurface(surface: ToolSurface, query: SurfacesQuery): boolean {
  const own = surface.toolcrib ?? {}
  const created = Date.parse(surface.created_at ?? '')
  return (
    (query.id === undefined || surface.surface_id === query.id) &&
    (query.actor === undefined || own['actor'] === query.actor) &&
    (query.session === undefined || own['session'] === query.session) &&
    (query.since === undefined || created >= Number(query.since)) &&
    (query.until === undefined || created < Number(query.until))
  )
}
