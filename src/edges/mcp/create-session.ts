import { randomUUID } from 'node:crypto'
import { isTooDeep, MAX_LEVELS } from '../../foundation/mcp/is-too-deep.js'
import { isJsonObject } from '../../foundation/mcp/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../foundation/mcp/mcp-error.js'
import type { Era } from '../../foundation/mcp/revisions.js'
import type { CatalogTool } from '../../supply/catalog/catalog-tool.js'
import { headerFields, type HeaderField } from '../../supply/sources/mcp/header-fields.js'
import { clientOf, meetClient } from './client-name.js'
import { describeHouse } from './describe-house.js'
import type { Caller, GatewaySession } from './gateway.js'
import type { GatewayOptions, SurfaceSettings } from './gateway-options.js'
import { invalidParams } from './invalid-params.js'
import { listen } from './listen.js'
import { methodsOf } from './methods.js'
import type { House, Place } from './place.js'
import { ServedNames } from './served-names.js'
import { toMcpTool } from './to-mcp-tool.js'

export interface SessionParts {
  readonly caller: Caller
  readonly options: GatewayOptions
  readonly settings: SurfaceSettings
  /** Of the surface. */
  readonly name: string
  readonly era: Era
  readonly sessionId: string | undefined
  onOpen(place: Place): void
  onClose(place: Place): void
}

export async function createSession(house: House, parts: SessionParts): Promise<GatewaySession> {
  const { caller, options, settings, name, era, sessionId } = parts
  const id = sessionId ?? randomUUID()
  const { actor, token, tenant } = caller
  const surface = await house.crib.surface({
    scope: 'session',
    ...settings,
    actor,
    session: id,
    ...(tenant !== undefined && { tenant }),
    ...(token !== undefined && { client: token }),
    name,
  })
  const names = new ServedNames(surface, options.names ?? 'server')
  const place: Place = {
    id,
    house,
    caller,
    surface,
    names,
    logLevel: undefined,
    subscriptions: new Map(),
    isClosed: false,
    clientName: undefined,
    isMet: false,
  }
  const methods = methodsOf(era)
  parts.onOpen(place)

  return {
    id,
    hello(request) {
      meetClient(place, request.clientInfo)
      return describeHouse(options, place, request)
    },
    async handle(method, params, exchange) {
      const handler = methods.get(method)
      if (!handler) throw new McpError(mcpErrorCodes.methodNotFound, `Method not found: ${method}`)
      if (isTooDeep(exchange.meta)) throw invalidParams(`"_meta" is nested deeper than ${MAX_LEVELS} levels.`)
      return handler(params, exchange, place)
    },
    // Roots and the like are asked for when they are needed.
    notified() {},
    headerFields: (called) => markedFields(names.find(called)),
    listen: (send, filter) => listen(place, send, filter),
    async close() {
      if (place.isClosed) return
      place.isClosed = true
      if (place.isMet) house.tell({ kind: 'client_left', client: clientOf(place, undefined) })
      house.logLevels.leave(id)
      parts.onClose(place)
      const ended = [...place.subscriptions.values()].map(({ end }) => end())
      place.subscriptions.clear()
      const left = (house.servers?.servers ?? []).map((server) => server.leave(id))
      await Promise.allSettled([...ended, ...left])
    },
  }
}

/** What a client that follows the tool's schema repeats in headers. */
function markedFields(tool: CatalogTool | undefined): readonly HeaderField[] {
  const schema = tool === undefined ? undefined : toMcpTool(tool)?.['inputSchema']
  const found = isJsonObject(schema) ? headerFields(schema) : undefined
  return found?.kind === 'fields' ? found.fields : []
}
