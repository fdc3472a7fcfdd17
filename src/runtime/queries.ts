import type { ToolEvent } from '../foundation/contract/objects/tool-event.js'
import type { ToolInvocation } from '../foundation/contract/objects/tool-invocation.js'
import type { ToolResult } from '../foundation/contract/objects/tool-result.js'
import type { ToolSurface } from '../foundation/contract/objects/tool-surface.js'
import type { InvocationStatus, ResultStatus } from '../foundation/contract/unions.js'
import { fromCursor } from '../foundation/events/complete-event.js'
import type { Journal } from '../foundation/events/journal.js'
import { projectCall, type CallStory } from '../foundation/events/project-call.js'
import { readEvents } from '../foundation/events/read-events.js'
import type { CallRow } from '../foundation/stores/store.js'
import type { Catalog } from '../supply/catalog/catalog.js'

export interface EventsQuery {
  /** A cursor of an event (`event.toolcrib.cursor`): what follows it. `start` (the default) or `now`. */
  from?: string
  /** Go on with what happens later. */
  follow?: boolean
  signal?: AbortSignal
  tenant?: string
}

export interface InvocationsQuery {
  /** Any of the tool's names, or an id that is no longer in the catalog. */
  tool?: string
  status?: InvocationStatus | readonly InvocationStatus[]
  resultStatus?: ResultStatus | readonly ResultStatus[]
  actor?: string
  session?: string
  surface?: string
  since?: Date | number
  until?: Date | number
  newestFirst?: boolean
  limit?: number
  tenant?: string
}

export interface SurfacesQuery {
  actor?: string
  session?: string
  /** Surfaces that list this tool as loaded. */
  tool?: string
  since?: Date | number
  until?: Date | number
  tenant?: string
}

const PAGE = 100

/** The reading side of a crib. What was recorded a moment ago is always seen. */
export function createQueries({
  journal,
  tenant: home,
  catalog,
}: {
  journal: Journal
  tenant: string
  catalog: Catalog
}) {
  const { store } = journal

  function toolIdOf(name: string): string {
    const resolved = catalog.resolve(name)
    return resolved && 'found' in resolved ? resolved.found.toolId : name
  }

  async function* rows(query: InvocationsQuery): AsyncGenerator<CallRow, void, void> {
    await journal.flush()
    let cursor: string | undefined
    let left = query.limit ?? Number.POSITIVE_INFINITY
    do {
      const page = await store.listCalls({
        tenant: query.tenant ?? home,
        tool: query.tool === undefined ? undefined : toolIdOf(query.tool),
        status: listOf(query.status),
        resultStatus: listOf(query.resultStatus),
        actor: query.actor,
        session: query.session,
        surface: query.surface,
        since: query.since === undefined ? undefined : Number(query.since),
        until: query.until === undefined ? undefined : Number(query.until),
        newestFirst: query.newestFirst,
        limit: Math.min(PAGE, left),
        cursor,
      })
      yield* page.rows
      left -= page.rows.length
      cursor = page.cursor
    } while (cursor !== undefined && left > 0)
  }

  async function story(invocationId: string, tenant = home): Promise<CallStory | undefined> {
    await journal.flush()
    return projectCall(await store.readStream(tenant, invocationId))
  }

  return {
    async *events(query: EventsQuery = {}): AsyncGenerator<ToolEvent, void, void> {
      await journal.flush()
      const tenant = query.tenant ?? home
      const after = await positionOf(query.from)
      yield* readEvents(store, { tenant, after, follow: query.follow ?? false, signal: query.signal })
    },
    async *invocations(query: InvocationsQuery = {}): AsyncGenerator<ToolInvocation, void, void> {
      for await (const { tenant, invocationId } of rows(query)) {
        const found = await story(invocationId, tenant)
        if (found) yield found.invocation
      }
    },
    async *results(query: InvocationsQuery = {}): AsyncGenerator<ToolResult, void, void> {
      for await (const { tenant, invocationId } of rows(query)) {
        const found = await story(invocationId, tenant)
        if (found?.result) yield found.result
      }
    },
    async *surfaces(query: SurfacesQuery = {}): AsyncGenerator<ToolSurface, void, void> {
      const toolId = query.tool === undefined ? undefined : toolIdOf(query.tool)
      for (const { value } of await store.listDocuments(query.tenant ?? home, 'surface')) {
        const surface = value as ToolSurface
        if (matchesSurface(surface, query, toolId)) yield surface
      }
    },
    invocation: async (invocationId: string) => (await story(invocationId))?.invocation,
    result: async (invocationId: string) => (await story(invocationId))?.result,
    story: (invocationId: string) => story(invocationId),
    async resolveRef(ref: string): Promise<unknown> {
      const match = /^toolcrib:\/\/invocations\/([^/]+)\/inputs\/(\d+)$/.exec(ref)
      return match ? (await story(match[1]!))?.inputs[Number(match[2])] : undefined
    },
  }

  async function positionOf(from: string | undefined): Promise<number> {
    if (from === undefined || from === 'start') return 0
    if (from === 'now') return store.lastPosition()
    const position = fromCursor(from)
    if (position === undefined) {
      throw new TypeError(
        `"${from}" is not a cursor; take one from an event (event.toolcrib.cursor), "start" or "now".`,
      )
    }
    return position
  }
}

function listOf<Value extends string>(
  given: Value | readonly Value[] | undefined,
): readonly Value[] | undefined {
  if (given === undefined) return undefined
  return typeof given === 'string' ? [given] : given
}

function matchesSurface(surface: ToolSurface, query: SurfacesQuery, toolId: string | undefined): boolean {
  const own = surface.toolcrib ?? {}
  const created = Date.parse(surface.created_at ?? '')
  return (
    (query.actor === undefined || own['actor'] === query.actor) &&
    (query.session === undefined || own['session'] === query.session) &&
    (toolId === undefined || (surface.loaded_tools?.includes(toolId) ?? false)) &&
    (query.since === undefined || created >= Number(query.since)) &&
    (query.until === undefined || created < Number(query.until))
  )
}
