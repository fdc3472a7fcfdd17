import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { askServer, toMcpError } from '../calls/ask-server.js'
import { checkResource, subscribeTo } from '../resources/check-resource.js'
import { collectLists, type Entry } from '../resources/collect-lists.js'
import type { Exchange } from '../gateway.js'
import { cacheable, complete } from '../in-era.js'
import { invalidParams } from '../invalid-params.js'
import { pageOf } from '../page-of.js'
import type { ServedConnection } from '../served-connection.js'
import { isKeptUri, readKept } from '../resources/read-kept.js'
import {
  findResource,
  resourceNotFound,
  withServedContents,
  withServedUris,
} from '../resources/served-resources.js'
import { runScheme } from '../../../platform/text/web-link.js'
import { cleanDefinition } from '../../../sources/mcp/clean-definition.js'
import { listTtlMs } from './list-ttl.js'

const MAX_SUBSCRIPTIONS = 1000

export async function listResources(
  params: JsonObject,
  exchange: Exchange,
  connection: ServedConnection,
): Promise<JsonObject> {
  const listed = withServedUris(await collectLists(connection, (server) => server.resources()), 'uri')
  // Clients show URIs as links, so those that would run something are excluded.
  const all = listed.filter(({ definition }) => runScheme(definition['uri']) === undefined)
  const { items, nextCursor } = pageOf(all, params['cursor'], ({ definition }) => String(definition['uri']))
  const resources = items.map(definitionOf)
  return cacheable(
    { resources, ...(nextCursor && { nextCursor }) },
    exchange.era,
    listTtlMs(connection.gateway),
  )
}

export async function listResourceTemplates(
  params: JsonObject,
  exchange: Exchange,
  connection: ServedConnection,
): Promise<JsonObject> {
  const lists = await collectLists(connection, (server) => server.resourceTemplates())
  const all = withServedUris(lists, 'uriTemplate')
  const keyOf = ({ definition }: Entry): string => String(definition['uriTemplate'])
  const { items, nextCursor } = pageOf(all, params['cursor'], keyOf)
  const resourceTemplates = items.map(definitionOf)
  const result = { resourceTemplates, ...(nextCursor && { nextCursor }) }
  return cacheable(result, exchange.era, listTtlMs(connection.gateway))
}

function definitionOf({ definition }: Entry): JsonObject {
  return cleanDefinition(definition)
}

export async function readResource(
  params: JsonObject,
  exchange: Exchange,
  connection: ServedConnection,
): Promise<JsonObject> {
  const uri = uriOf(params)
  const { era } = exchange
  if (params['requestState'] !== undefined && era === 'modern')
    return connection.gateway.pendingWork.resume({ method: 'resources/read', params, exchange, connection })
  if (isKeptUri(uri)) return cacheable(await readKept(uri, era, connection), era, 0)
  const found = await findResource(uri, era, connection)
  checkResource(found, connection)
  return askServer({
    method: 'resources/read',
    params,
    exchange,
    connection,
    server: found.server,
    ownParams: { uri: found.ownUri },
    toResult: (result) => cacheable(withServedContents(result, found), era, ttlOf(result)),
    toError: (error) => (error.code === mcpErrorCodes.resourceNotFound ? resourceNotFound(uri, era) : error),
  })
}

function ttlOf({ ttlMs }: JsonObject): number {
  return typeof ttlMs === 'number' && Number.isInteger(ttlMs) && ttlMs >= 0 ? ttlMs : 0
}

function uriOf({ uri }: JsonObject): string {
  if (typeof uri === 'string' && uri !== '') return uri
  throw invalidParams('"uri" must be the address of a resource.')
}

export async function subscribe(
  params: JsonObject,
  exchange: Exchange,
  connection: ServedConnection,
): Promise<JsonObject> {
  const uri = uriOf(params)
  const { subscriptions } = connection
  if (!subscriptions.has(uri)) {
    if (subscriptions.size >= MAX_SUBSCRIPTIONS)
      throw new McpError(
        mcpErrorCodes.internal,
        `No more than ${MAX_SUBSCRIPTIONS} resources can be subscribed to.`,
      )
    const found = await findResource(uri, exchange.era, connection)
    const end = await subscribeTo(found, connection).catch((error: unknown) => {
      throw toMcpError(error)
    })
    // A parallel request may have subscribed meanwhile, or the session may have ended.
    if (subscriptions.has(uri) || connection.isClosed) await end().catch(() => {})
    else subscriptions.set(uri, { ...found, end })
  }
  return complete({}, exchange.era)
}

export async function unsubscribe(
  params: JsonObject,
  exchange: Exchange,
  connection: ServedConnection,
): Promise<JsonObject> {
  const uri = uriOf(params)
  const subscription = connection.subscriptions.get(uri)
  connection.subscriptions.delete(uri)
  await subscription?.end().catch(() => {})
  return complete({}, exchange.era)
}
