import { randomUUID } from 'node:crypto'
import { isTooDeep, MAX_LEVELS } from '../../sources/mcp/protocol/is-too-deep.js'
import { isJsonObject } from '../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../sources/mcp/protocol/mcp-error.js'
import type { Era } from '../../sources/mcp/protocol/revisions.js'
import { headerFields, type HeaderField } from '../../sources/mcp/header-fields.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import { loadCostOf } from '../../surfaces/tool-cost.js'
import { clientOf, meetClient, type MetClient } from './client-name.js'
import { describeServer } from './describe-server.js'
import type { GatewaySession } from './gateway.js'
import type { Caller } from '../server/caller.js'
import type { GatewayOptions, SurfaceSettings } from './gateway-options.js'
import { invalidParams } from './invalid-params.js'
import { listen } from './resources/subscriptions.js'
import { mayShowServer } from './resources/may-show-server.js'
import { methodsOf } from './methods.js'
import { createConnectionOpening, type ConnectionOpening } from './open-connection.js'
import type { GatewayContext, Connection } from './connection.js'
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
  onOpen(connection: Connection): void
  /** Nothing where it was closed before there was one. */
  onClose(connection: Connection | undefined): void
}

/** Requests that need no list: whoever calls a tool knows it already. */
const WITHOUT_LISTS = /^(?:tools\/call$|tasks\/)/

export async function createSession(gateway: GatewayContext, parts: SessionParts): Promise<GatewaySession> {
  const { options, settings, era } = parts
  const id = parts.sessionId ?? randomUUID()
  const met: MetClient = { actor: parts.caller.actor, program: undefined, isMet: false }
  const methods = methodsOf(era)
  const known = gateway.firstLists.tools((server) => mayShowServer(settings, server))
  const opening = createConnectionOpening({ known, open: () => openPlace(gateway, id, { ...parts, met }) })
  if (!known) await opening.atOnce()
  // Not at once, for it would hold up the start of the servers; nor when all are there, for the first list waits then.
  else if (settings.deferral?.budgetTokens !== undefined)
    gateway.firstLists
      .one()
      .then(loadCostOf)
      .catch(() => {})

  return {
    id,
    initialize(request) {
      meetClient(met, request.clientInfo, gateway)
      const { connection } = opening
      // A client is told once, and must not wait for servers that may never come.
      const servers = connection
        ? visibleServers(connection)
        : serversBehind(gateway.crib.preview(requestOf(id, parts)), gateway)
      return describeServer(options, servers, request)
    },
    async handle(method, params, exchange) {
      const handler = methods.get(method)
      if (!handler) throw new McpError(mcpErrorCodes.methodNotFound, `Method not found: ${method}`)
      if (isTooDeep(exchange.meta)) throw invalidParams(`"_meta" is nested deeper than ${MAX_LEVELS} levels.`)
      const connection =
        opening.connection ?? (await (WITHOUT_LISTS.test(method) ? opening.atOnce() : opening.whenKnown()))
      return handler(params, exchange, connection)
    },
    // Roots and the like are asked for when they are needed.
    notified() {},
    headerFields(called) {
      const { connection } = opening
      return connection
        ? markedFields(connection, called)
        : opening.atOnce().then((opened) => markedFields(opened, called))
    },
    listen: (send, filter) => listenOnce(opening, (connection) => listen(connection, send, filter)),
    async close() {
      const connection = await opening.close()
      if (connection?.isClosed) return
      parts.onClose(connection)
      if (met.isMet) gateway.emit({ kind: 'client_left', client: clientOf(met, undefined) })
      if (!connection) return
      connection.isClosed = true
      gateway.logLevels.leave(id)
      const ended = [...connection.subscriptions.values()].map(({ end }) => end())
      connection.subscriptions.clear()
      const left = (gateway.servers?.servers ?? []).map((server) => server.leave(id))
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

async function openPlace(
  gateway: GatewayContext,
  id: string,
  parts: SessionParts & { met: MetClient },
): Promise<Connection> {
  const { caller, options, met } = parts
  const surface = await gateway.crib.surface(requestOf(id, parts))
  const connection: Connection = {
    id,
    gateway: gateway,
    caller,
    surface,
    names: new ServedNames(surface, options.names ?? 'server'),
    logLevel: undefined,
    subscriptions: new Map(),
    isClosed: false,
    met,
  }
  parts.onOpen(connection)
  return connection
}

/** Listens from when there is a connection: before that nothing was listed that could change. */
function listenOnce(opening: ConnectionOpening, begin: (connection: Connection) => () => void): () => void {
  if (opening.connection) return begin(opening.connection)
  let isOver = false
  let end = (): void => void (isOver = true)
  opening.whenKnown().then(
    (connection) => {
      if (!isOver) end = begin(connection)
    },
    () => {},
  )
  return () => end()
}

/** What a client that follows the tool's schema repeats in headers. */
function markedFields({ names }: Connection, called: string): readonly HeaderField[] {
  const tool = names.find(called)
  const schema = tool === undefined ? undefined : toMcpTool(tool)?.['inputSchema']
  const found = isJsonObject(schema) ? headerFields(schema) : undefined
  return found?.kind === 'fields' ? found.fields : []
}
