import type { ServerResponse } from 'node:http'
import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject, JsonRpcRequest } from '../../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { metaKeys } from '../../../sources/mcp/protocol/meta-keys.js'
import type { GatewaySession } from '../gateway.js'
import type { McpHttp } from './mcp-http.js'
import { writeMessage } from './modern-exchange.js'
import { success } from './reply.js'

/** URIs or task ids in one subscription. */
const MAX_LISTED = 1000

export interface SubscriptionRequest {
  readonly message: JsonRpcRequest
  readonly response: ServerResponse
  /** The result of `server/discover` for this client. */
  readonly discovery: JsonObject
}

/** Opens a stream for the notifications that the client requests. Resolves when the stream has ended. */
export async function openSubscription(
  http: McpHttp,
  connection: GatewaySession,
  { message, response, discovery }: SubscriptionRequest,
): Promise<void> {
  const wanted = message.params?.['notifications']
  if (!isFilter(wanted))
    throw new McpError(
      mcpErrorCodes.invalidParams,
      'params.notifications must say which notifications are wanted.',
    )
  if (http.subscriptions.size >= http.settings.maxSubscriptions)
    throw new McpError(
      mcpErrorCodes.internal,
      'Too many subscriptions are open here. Close one, or try again later.',
    )
  const filter = honoured(wanted, discovery['capabilities'])
  const mark = { [metaKeys.subscriptionId]: message.id }
  const write = (body: JsonObject) => writeMessage(http, response, body)
  const send = (method: string, params: JsonObject) => {
    const inner = isObject(params['_meta']) ? params['_meta'] : {}
    write({ jsonrpc: '2.0', method, params: { ...params, _meta: { ...inner, ...mark } } })
  }
  const finish = () => {
    write(success(message.id, { resultType: 'complete', _meta: { ...serverInfoOf(discovery), ...mark } }))
    response.end()
  }
  http.streams.open(response)
  send('notifications/subscriptions/acknowledged', { notifications: filter })
  if (Object.keys(filter).length === 0) return finish()
  const stop = connection.listen(send, filter)
  http.subscriptions.add(finish)
  await new Promise<void>((resolve) => {
    response.once('close', resolve)
    if (response.destroyed) resolve()
  })
  http.subscriptions.delete(finish)
  stop()
}

function isFilter(value: unknown): value is JsonObject {
  if (!isObject(value)) return false
  return isShortList(value['resourceSubscriptions']) && isShortList(value['taskIds'])
}

function isShortList(value: unknown): boolean {
  if (value === undefined) return true
  return Array.isArray(value) && value.length <= MAX_LISTED && value.every((item) => typeof item === 'string')
}

/** The part of the filter that the gateway supports. The acknowledgement shows the client which part that is. */
function honoured(wanted: JsonObject, capabilities: unknown): JsonObject {
  const can = (part: string, feature: string) => {
    const group = isObject(capabilities) ? capabilities[part] : undefined
    return isObject(group) && group[feature] === true
  }
  const filter: JsonObject = {}
  for (const part of ['tools', 'prompts', 'resources'])
    if (wanted[`${part}ListChanged`] === true && can(part, 'listChanged')) filter[`${part}ListChanged`] = true
  const uris = wanted['resourceSubscriptions']
  if (Array.isArray(uris) && uris.length > 0 && can('resources', 'subscribe'))
    filter['resourceSubscriptions'] = uris
  return filter
}

function serverInfoOf(discovery: JsonObject): JsonObject {
  const meta = discovery['_meta']
  const info = isObject(meta) ? meta[metaKeys.serverInfo] : undefined
  return info === undefined ? {} : { [metaKeys.serverInfo]: info }
}
