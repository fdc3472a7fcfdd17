import type { JsonObject, JsonRpcRequest } from '../../../sources/mcp/protocol/json-rpc.js'
import type { Exchange, GatewaySession } from '../gateway.js'
import { toWireError } from '../to-wire-error.js'
import { failure, success } from './reply.js'

/** The answer to one request, always a message: whatever goes wrong becomes an error of the protocol. */
export async function runRequest(
  connection: GatewaySession,
  { id, method, params }: JsonRpcRequest,
  { exchange, tell }: { exchange: Exchange; tell: (problem: unknown) => void },
): Promise<JsonObject> {
  try {
    return success(id, await connection.handle(method, params ?? {}, exchange))
  } catch (problem) {
    return failure(id, toWireError(problem, tell))
  }
}
