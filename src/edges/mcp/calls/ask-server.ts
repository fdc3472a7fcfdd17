import { errorMessage } from '../../../platform/text/error-message.js'
import { isTooDeep, MAX_LEVELS } from '../../../platform/json/too-deep.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import type { McpServer } from '../../../sources/mcp/mcp-server.js'
import type { Exchange } from '../gateway.js'
import { invalidParams } from '../invalid-params.js'
import type { ServedConnection } from '../served-connection.js'
import { checkHosts } from '../resources/check-hosts.js'

export interface ServerQuestion {
  /** The client's request. */
  readonly method: string
  readonly params: JsonObject
  readonly exchange: Exchange
  readonly connection: ServedConnection
  readonly server: McpServer
  /** The params for the server. */
  readonly ownParams: JsonObject
  toResult(result: JsonObject): JsonObject
  toError?(error: McpError): McpError
}

/** Forwards a request to a server. The client gets the questions that the server asks meanwhile. */
export async function askServer(question: ServerQuestion): Promise<JsonObject> {
  const { method, exchange, connection, server, ownParams, toResult, toError } = question
  checkHosts(server, connection)
  if (isTooDeep(ownParams)) throw invalidParams(`The params are nested deeper than ${MAX_LEVELS} levels.`)
  const work = connection.gateway.pendingWork.open(question)
  const controller = new AbortController()
  const asked = server.request(method, ownParams, {
    session: connection.id,
    actor: connection.caller.actor,
    signal: controller.signal,
    client: work,
    onNotification: (name, params) => work.notify(name, params),
    ...(work.wantsProgress && {
      onProgress: (params: JsonObject) => work.notify('notifications/progress', params),
    }),
  })
  const onError = (error: unknown): never => {
    const mcpError = toMcpError(error)
    throw toError ? toError(mcpError) : mcpError
  }
  work.begin(
    asked.then((result) => toResult(checkDepth(result)), onError),
    () => controller.abort(),
  )
  return work.attach(exchange)
}

/** Clients may fail on deeply nested answers. */
function checkDepth(result: JsonObject): JsonObject {
  if (!isTooDeep(result)) return result
  throw new McpError(
    mcpErrorCodes.internal,
    `The server's answer is nested deeper than ${MAX_LEVELS} levels; it is not handed on.`,
  )
}

export function toMcpError(error: unknown): McpError {
  if (error instanceof McpError)
    return isTooDeep(error.data) ? new McpError(error.code, error.message) : error
  return new McpError(mcpErrorCodes.internal, errorMessage(error))
}
