import { randomUUID } from 'node:crypto'
import { isObject } from '../../platform/json/is-object.js'
import { isTooDeep, MAX_LEVELS } from '../../platform/json/too-deep.js'
import { McpError, mcpErrorCodes } from '../../sources/mcp/protocol/mcp-error.js'
import type { Era } from '../../sources/mcp/protocol/revisions.js'
import { headerFields, type HeaderField } from '../../sources/mcp/header-fields.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import { loadCostOf } from '../../surfaces/tool-cost.js'
import { clientOf, announceClient, type KnownClient } from './client-name.js'
import { describeServer } from './describe-server.js'
import type { GatewaySession } from './gateway.js'
import { holdersOf, type Caller } from '../server/caller.js'
import type { GatewayOptions, SurfaceSettings } from './gateway-options.js'
import { invalidParams } from './invalid-params.js'
import { listen } from './resources/subscriptions.js'
import { mayShowServer } from './resources/may-show-server.js'
import { methodsOf } from './methods.js'
import type { Connection } from './connection.js'
import type { GatewayState, ServedConnection } from './served-connection.js'
import { ServedNames } from './tools/served-names.js'
import { toMcpTool } from './tools/to-mcp-tool.js'
import { serversBehind, visibleServers } from './resources/visible-servers.js'

export interface SessionParts {
  readonly caller: Caller
  readonly options: GatewayOptions
  readonly settings: SurfaceSettings
  /** The name of the surface. */
  readonly name: string
  readonly era: Era
  readonly sessionId: string | undefined
  onOpen(connection: Connection): void
  /** Gets nothing where the session was closed before its connection was open. */
  onClose(connection: Connection | undefined): void
}

/** Requests that do not wait for the lists: a client that calls a tool knows it already. */
const WITHOUT_LISTS = /^(?:tools\/call$|tasks\/)/

export async function createSession(gateway: GatewayState, parts: SessionParts): Promise<GatewaySession> {
  const { options, settings, era } = parts
  const id = parts.sessionId ?? randomUUID()
  const client: KnownClient = { actor: parts.caller.actor, program: undefined, isAnnounced: false }
  const methods = methodsOf(era)
  const known = gateway.firstLists.tools((server) => mayShowServer(settings, server))
  const opening = createConnectionOpening({
    known,
    open: () => openConnection(gateway, id, { ...parts, client }),
  })
  if (!known) await opening.atOnce()
  // After the first server: earlier, it would slow down the start of servers; later, the first list would wait for it.
  else if (settings.deferral?.budgetTokens !== undefined)
    gateway.firstLists
      .one()
      .then(loadCostOf)
      .catch(() => {})

  return {
    id,
    initialize(request) {
      announceClient(client, request.clientInfo, gateway)
      const { connection } = opening
      // A client reads this once, and must not wait for servers that may never connect.
      const servers = connection
        ? visibleServers(connection)
        : serversBehind(gateway.crib.preview(requestOf(id, parts)), gateway)
      return describeServer(options, servers, request)
    },
    handle(method, params, exchange) {
      const handler = methods.get(method)
      if (!handler)
        return Promise.reject(new McpError(mcpErrorCodes.methodNotFound, `Method not found: ${method}`))
      if (isTooDeep(exchange.meta))
        return Promise.reject(invalidParams(`"_meta" is nested deeper than ${MAX_LEVELS} levels.`))
      const { connection } = opening
      if (connection) return handler(params, exchange, connection)
      const opened = WITHOUT_LISTS.test(method) ? opening.atOnce() : opening.whenKnown()
      return opened.then((known) => handler(params, exchange, known))
    },
    // Nothing to do: roots and the like are requested when they are needed.
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
      if (client.isAnnounced) gateway.emit({ kind: 'client_left', client: clientOf(client, undefined) })
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
    ...holdersOf(caller),
    actor,
    session: id,
    ...(tenant !== undefined && { tenant }),
    ...(token !== undefined && { client: token }),
    name,
  }
}

async function openConnection(
  gateway: GatewayState,
  id: string,
  parts: SessionParts & { client: KnownClient },
): Promise<ServedConnection> {
  const { caller, options, client } = parts
  const surface = await gateway.crib.surface(requestOf(id, parts))
  const connection: ServedConnection = {
    id,
    gateway,
    caller,
    surface,
    names: new ServedNames(surface, options.names ?? 'server'),
    logLevel: undefined,
    subscriptions: new Map(),
    isClosed: false,
    client,
  }
  parts.onOpen(connection)
  return connection
}

/** Listens as soon as the connection is open: before that no list was given out that could change. */
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

/** The arguments that the tool's schema marks to be repeated in headers. */
function markedFields({ names }: Connection, called: string): readonly HeaderField[] {
  const tool = names.find(called)
  const schema = tool === undefined ? undefined : toMcpTool(tool)?.['inputSchema']
  const found = isObject(schema) ? headerFields(schema) : undefined
  return found?.kind === 'fields' ? found.fields : []
}

/** A connection that is being opened. Its surface is built when the servers whose tools it may show are known. */
interface ConnectionOpening {
  /** Absent while it waits for servers. */
  readonly connection: ServedConnection | undefined
  /** Resolves when the servers are known or the wait has timed out. */
  whenKnown(): Promise<ServedConnection>
  /** Without waiting for any server. */
  atOnce(): Promise<ServedConnection>
  /** Resolves with the connection, if one was opened. No connection opens afterwards. */
  close(): Promise<ServedConnection | undefined>
}

interface ConnectionOpeningOptions {
  /** Resolves when the servers are known; absent where they are already. */
  readonly known: Promise<unknown> | undefined
  open(): Promise<ServedConnection>
}

/**
 * A surface decides by all its tools which of them it loads, and keeps that choice. Built while servers connect, the
 * choice would depend on which of them was first.
 */
function createConnectionOpening({ known, open }: ConnectionOpeningOptions): ConnectionOpening {
  let connection: ServedConnection | undefined
  let opening: Promise<ServedConnection> | undefined
  let isClosed = false

  function atOnce(): Promise<ServedConnection> {
    if (isClosed) return Promise.reject(new McpError(mcpErrorCodes.internal, 'The session is over.'))
    opening ??= open().then(
      (opened) => (connection = opened),
      (error: unknown) => {
        // The next request tries again.
        opening = undefined
        throw error
      },
    )
    return opening
  }

  async function whenKnown(): Promise<ServedConnection> {
    await known
    return atOnce()
  }

  // The first request may come late, and the records show since when there is a surface.
  if (known) void whenKnown().catch(() => {})
  return {
    get connection() {
      return connection
    },
    whenKnown,
    atOnce,
    async close() {
      isClosed = true
      return opening?.catch(() => undefined)
    },
  }
}
