import { randomUUID } from 'node:crypto'
import { isTooDeep, MAX_LEVELS } from '../../sources/mcp/protocol/is-too-deep.js'
import { isJsonObject } from '../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../sources/mcp/protocol/mcp-error.js'
import type { Era } from '../../sources/mcp/protocol/revisions.js'
import { headerFields, type HeaderField } from '../../sources/mcp/header-fields.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import { loadCostOf } from '../../surfaces/tool-cost.js'
import { clientOf, meetClient, type MetClient } from './client-name.js'
import { describeHouse } from './describe-server.js'
import type { GatewaySession } from './gateway.js'
import type { Caller } from '../server/caller.js'
import type { GatewayOptions, SurfaceSettings } from './gateway-options.js'
import { invalidParams } from './invalid-params.js'
import { listen } from './resources/subscriptions.js'
import { mayShowServer } from './resources/may-show-server.js'
import { methodsOf } from './methods.js'
import { createPlaceOpening, type PlaceOpening } from './open-connection.js'
import type { House, Place } from './connection.js'
import { ServedNames } from './tools/served-names.js'
import { toMcpTool } from './tools/to-mcp-tool.js'
import { serversBehind, visibleServers } from './resources/visible-servers.js'

export interface SessionParts {
  readonly caller: Caller
  readonly options: GatewayOptions
  readonly settings: SurfaceSettings
  /** Of the surface. */
  readonly name: string
  readonly era: Era
  readonly sessionId: string | undefined
  onOpen(place: Place): void
  /** Nothing where it was closed before there was one. */
  onClose(place: Place | undefined): void
}

/** Requests that need no list: whoever calls a tool knows it already. */
const WITHOUT_LISTS = /^(?:tools\/call$|tasks\/)/

export async function createSession(house: House, parts: SessionParts): Promise<GatewaySession> {
  const { options, settings, era } = parts
  const id = parts.sessionId ?? randomUUID()
  const met: MetClient = { actor: parts.caller.actor, program: undefined, isMet: false }
  const methods = methodsOf(era)
  const known = house.firstLists.tools((server) => mayShowServer(settings, server))
  const opening = createPlaceOpening({ known, open: () => openPlace(house, id, { ...parts, met }) })
  if (!known) await opening.atOnce()
  // Not at once, for it would hold up the start of the servers; nor when all are there, for the first list waits then.
  else if (settings.deferral?.budgetTokens !== undefined)
    house.firstLists
      .one()
      .then(loadCostOf)
      .catch(() => {})

  return {
    id,
    hello(request) {
      meetClient(met, request.clientInfo, house)
      const { place } = opening
      // A client is told once, and must not wait for servers that may never come.
      const servers = place
        ? visibleServers(place)
        : serversBehind(house.crib.preview(requestOf(id, parts)), house)
      return describeHouse(options, servers, request)
    },
    async handle(method, params, exchange) {
      const handler = methods.get(method)
      if (!handler) throw new McpError(mcpErrorCodes.methodNotFound, `Method not found: ${method}`)
      if (isTooDeep(exchange.meta)) throw invalidParams(`"_meta" is nested deeper than ${MAX_LEVELS} levels.`)
      const place =
        opening.place ?? (await (WITHOUT_LISTS.test(method) ? opening.atOnce() : opening.whenKnown()))
      return handler(params, exchange, place)
    },
    // Roots and the like are asked for when they are needed.
    notified() {},
    headerFields(called) {
      const { place } = opening
      return place
        ? markedFields(place, called)
        : opening.atOnce().then((opened) => markedFields(opened, called))
    },
    listen: (send, filter) => listenOnce(opening, (place) => listen(place, send, filter)),
    async close() {
      const place = await opening.close()
      if (place?.isClosed) return
      parts.onClose(place)
      if (met.isMet) house.tell({ kind: 'client_left', client: clientOf(met, undefined) })
      if (!place) return
      place.isClosed = true
      house.logLevels.leave(id)
      const ended = [...place.subscriptions.values()].map(({ end }) => end())
      place.subscriptions.clear()
      const left = (house.servers?.servers ?? []).map((server) => server.leave(id))
      await Promise.allSettled([...ended, ...left])
    },
  }
}

function requestOf(id: string, { caller, settings, name }: SessionParts): SurfaceRequest {
  const { actor, token, tenant } = caller
  return {
    scope: 'session',
    ...settings,
    actor,
    session: id,
    ...(tenant !== undefined && { tenant }),
    ...(token !== undefined && { client: token }),
    name,
  }
}

async function openPlace(house: House, id: string, parts: SessionParts & { met: MetClient }): Promise<Place> {
  const { caller, options, met } = parts
  const surface = await house.crib.surface(requestOf(id, parts))
  const place: Place = {
    id,
    house,
    caller,
    surface,
    names: new ServedNames(surface, options.names ?? 'server'),
    logLevel: undefined,
    subscriptions: new Map(),
    isClosed: false,
    met,
  }
  parts.onOpen(place)
  return place
}

/** Listens from when there is a place: before that nothing was listed that could change. */
function listenOnce(opening: PlaceOpening, begin: (place: Place) => () => void): () => void {
  if (opening.place) return begin(opening.place)
  let isOver = false
  let end = (): void => void (isOver = true)
  opening.whenKnown().then(
    (place) => {
      if (!isOver) end = begin(place)
    },
    () => {},
  )
  return () => end()
}

/** What a client that follows the tool's schema repeats in headers. */
function markedFields({ names }: Place, called: string): readonly HeaderField[] {
  const tool = names.find(called)
  const schema = tool === undefined ? undefined : toMcpTool(tool)?.['inputSchema']
  const found = isJsonObject(schema) ? headerFields(schema) : undefined
  return found?.kind === 'fields' ? found.fields : []
}
