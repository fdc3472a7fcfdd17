import { isTooDeep, MAX_LEVELS } from '../../../sources/mcp/protocol/is-too-deep.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import type { McpServer } from '../../../sources/mcp/mcp-server.js'
import type { Exchange } from '../gateway.js'
import { invalidParams } from '../invalid-params.js'
import type { Connection } from '../connection.js'

export interface ServerQuestion {
  /** As the client asked. */
  readonly method: string
  readonly params: JsonObject
  readonly exchange: Exchange
  readonly connection: Connection
  readonly server: McpServer
  /** As the server is asked. */
  readonly ownParams: JsonObject
  toResult(result: JsonObject): JsonObject
  toError?(error: McpError): McpError
}

/** Hands a request on to a server. What it asks meanwhile reaches the client. */
export async function askServer(question: ServerQuestion): Promise<JsonObject> {
  const { method, exchange, connection, server, ownParams, toResult, toError } = question
  if (isTooDeep(ownParams)) throw invalidParams(`The params are nested deeper than ${MAX_LEVELS} levels.`)
  const work = connection.gateway.held.open(question)
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
    const told = toMcpError(error)
    throw toError ? toError(told) : told
  }
  work.begin(
    asked.then((result) => toResult(checkDepth(result)), onError),
    () => controller.abort(),
  )
  return work.attach(exchange)
}

/** What a server says is read by people's programs, which may not bear every depth. */
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
  return new McpError(mcpErrorCodes.internal, error instanceof Error ? error.message : String(error))
}
