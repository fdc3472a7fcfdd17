import type { ServerResponse } from 'node:http'
import { isJsonObject, type JsonObject, type JsonRpcRequest } from '../../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { metaKeys } from '../../../sources/mcp/protocol/meta-keys.js'
import type { GatewaySession } from '../gateway.js'
import type { McpHttp } from './mcp-http.js'
import { writeMessage } from './modern-reply.js'
import { success } from './reply.js'

/** Of one kind, in one subscription. */
const MAX_LISTED = 1000

export interface SubscriptionRequest {
  readonly message: JsonRpcRequest
  readonly response: ServerResponse
  /** What this context can do, for this client. */
  readonly hello: JsonObject
}

/** Keeps a stream open for what the client wants to hear. Resolves when it is over. */
export async function openSubscription(
  http: McpHttp,
  connection: GatewaySession,
  { message, response, hello }: SubscriptionRequest,
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
  const filter = honoured(wanted, hello['capabilities'])
  const mark = { [metaKeys.subscriptionId]: message.id }
  const write = (body: JsonObject) => writeMessage(http, response, body)
  const send = (method: string, params: JsonObject) => {
    const inner = isJsonObject(params['_meta']) ? params['_meta'] : {}
    write({ jsonrpc: '2.0', method, params: { ...params, _meta: { ...inner, ...mark } } })
  }
  const finish = () => {
    write(success(message.id, { resultType: 'complete', _meta: { ...serverInfoOf(hello), ...mark } }))
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
  if (!isJsonObject(value)) return false
  return isShortList(value['resourceSubscriptions']) && isShortList(value['taskIds'])
}

function isShortList(value: unknown): boolean {
  if (value === undefined) return true
  return Array.isArray(value) && value.length <= MAX_LISTED && value.every((item) => typeof item === 'string')
}

/** What of it this context can deliver; the rest is left out, which tells the client. */
function honoured(wanted: JsonObject, capabilities: unknown): JsonObject {
  const can = (part: string, feature: string) => {
    const group = isJsonObject(capabilities) ? capabilities[part] : undefined
    return isJsonObject(group) && group[feature] === true
  }
  const filter: JsonObject = {}
  for (const part of ['tools', 'prompts', 'resources'])
    if (wanted[`${part}ListChanged`] === true && can(part, 'listChanged')) filter[`${part}ListChanged`] = true
  const uris = wanted['resourceSubscriptions']
  if (Array.isArray(uris) && uris.length > 0 && can('resources', 'subscribe'))
    filter['resourceSubscriptions'] = uris
  return filter
}

function serverInfoOf(hello: JsonObject): JsonObject {
  const meta = hello['_meta']
  const info = isJsonObject(meta) ? meta[metaKeys.serverInfo] : undefined
  return info === undefined ? {} : { [metaKeys.serverInfo]: info }
}
